import type * as pulumi from "@pulumi/pulumi";
import type { CosiResource } from "../api/cosiResource";
import type { InputsOf } from "../inputsOf";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/** Which resources of a machine's state are asked for. */
export interface GetResourcesArgs extends MachineQueryArgs {
  /** Such as `runtime`; `talosctl get rd` tells each type's. */
  readonly namespace: string;
  /** In full, such as `ExtensionStatuses.runtime.talos.dev`. */
  readonly type: string;
  /** Only those that have all of these labels with these values. Default: all. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * The resources of a type in Talos' own state of a machine, such as its extensions; none if it has
 * none. The spec of each is YAML text, and secret for the types that Talos calls sensitive.
 *
 * Contacts the machine whenever the program runs, in a preview too.
 *
 * @throws TalosApiError when the machine refuses, or doesn't prove to be of this cluster
 * @throws WaitTimeoutError when it doesn't answer in time
 */
export function getResources(args: GetResourcesArgs): Promise<CosiResource[]> {
  const { namespace, type, labels = {} } = args;
  return queryMachine(args, `its ${type}`, (client, call) =>
    client.listResources({ namespace, type, labels }, call),
  );
}

/**
 * Like `getResources`, with inputs that may be outputs: contacts nothing while one of them is unknown. The
 * answer is secret when an input is, as the credentials of `ClientConfiguration` are.
 */
export function getResourcesOutput(
  args: InputsOf<GetResourcesArgs>,
): pulumi.Output<CosiResource[]> {
  return queryWhenKnown(args, getResources);
}
