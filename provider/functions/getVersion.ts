import type * as pulumi from "@pulumi/pulumi";
import type { TalosVersion } from "../api/talosClient";
import type { InputsOf } from "../engine/talosResource";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/**
 * The Talos version of a machine, and its platform. Contacts the machine whenever the program runs,
 * also in a preview.
 *
 * @throws TalosApiError if the machine refuses, or doesn't prove that it is part of this cluster
 * @throws WaitTimeoutError if it doesn't answer in time
 */
export function getVersion(args: MachineQueryArgs): Promise<TalosVersion> {
  return queryMachine(args, "its version", (client, call) => client.version(call));
}

/**
 * Like `getVersion`, with inputs that may be outputs. It contacts no machine while one of them is
 * unknown. The answer is secret if an input is secret, such as the credentials of
 * `ClientConfiguration`.
 */
export function getVersionOutput(args: InputsOf<MachineQueryArgs>): pulumi.Output<TalosVersion> {
  return queryWhenKnown(args, getVersion);
}
