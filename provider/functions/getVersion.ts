import type * as pulumi from "@pulumi/pulumi";
import type { TalosVersion } from "../api/talosClient";
import type { InputsOf } from "../inputsOf";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/**
 * Which Talos a machine runs, on what.
 *
 * Contacts the machine whenever the program runs, in a preview too.
 *
 * @throws TalosApiError when the machine refuses, or doesn't prove to be of this cluster
 * @throws WaitTimeoutError when it doesn't answer in time
 */
export function getVersion(args: MachineQueryArgs): Promise<TalosVersion> {
  return queryMachine(args, "its version", (client, call) => client.version(call));
}

/**
 * Like `getVersion`, with inputs that may be outputs: contacts nothing while one of them is unknown. The
 * answer is secret when an input is, as the credentials of `ClientConfiguration` are.
 */
export function getVersionOutput(args: InputsOf<MachineQueryArgs>): pulumi.Output<TalosVersion> {
  return queryWhenKnown(args, getVersion);
}
