import type * as pulumi from "@pulumi/pulumi";
import type { CosiResource } from "../api/cosiResource";
import type { InputsOf } from "../engine/talosResource";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/** The resources to query. */
export interface GetResourcesArgs extends MachineQueryArgs {
  /** The namespace, such as `runtime`; `talosctl get rd` prints that of each type. */
  readonly namespace: string;
  /** The full type, such as `ExtensionStatuses.runtime.talos.dev`. */
  readonly type: string;
  /** Only resources with all of these labels and values. Default: all. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * The resources of a type in a machine's Talos state, such as its extensions; empty without any.
 * The spec of each is YAML text, and secret for the types that Talos calls sensitive. Contacts the
 * machine whenever the program runs, also in a preview.
 *
 * @throws TalosApiError if the machine refuses, or doesn't prove that it is part of this cluster
 * @throws WaitTimeoutError if it doesn't answer in time
 */
export function getResources(args: GetResourcesArgs): Promise<CosiResource[]> {
  const { namespace, type, labels = {} } = args;
  return queryMachine(args, `its ${type}`, (client, call) =>
    client.listResources({ namespace, type, labels }, call),
  );
}

/**
 * Like `getResources`, with inputs that may be outputs. It contacts no machine while one of them is
 * unknown. The answer is secret if an input is secret, such as the credentials of
 * `ClientConfiguration`.
 */
export function getResourcesOutput(
  args: InputsOf<GetResourcesArgs>,
): pulumi.Output<CosiResource[]> {
  return queryWhenKnown(args, getResources);
}
