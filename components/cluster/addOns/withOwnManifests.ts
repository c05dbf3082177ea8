import * as pulumi from "@pulumi/pulumi";
import type { InlineManifest } from "../../../provider";
import { isKnown, valueOf } from "../../../provider/engine";
import type { ClusterMachineConfigurationArgs } from "../arguments/clusterControlPlaneArgs";
import type { OwnManifest } from "./makeOwnManifests";

/**
 * The program's manifests and this package's. It is no output: to the SDK, one with an unknown text is unknown as a whole,
 * so no line of a configuration could be shown.
 */
export async function withOwnManifests(
  given: ClusterMachineConfigurationArgs["inlineManifests"],
  own: readonly OwnManifest[],
): Promise<readonly (Pick<OwnManifest, "name" | "contents"> | pulumi.Output<InlineManifest>)[]> {
  const list = pulumi.output(given).apply((items) => items ?? []);
  const count = (await isKnown(list)) ? await lengthOf(list) : 1;
  const items = Array.from({ length: count }, (_, index) =>
    list.apply((known) => known[index] as InlineManifest),
  );
  return [...items, ...own.map(({ name, contents }) => ({ name, contents }))];
}

async function lengthOf(list: pulumi.Output<readonly unknown[]>): Promise<number> {
  return Number(await valueOf(list.apply(({ length }) => length)));
}
