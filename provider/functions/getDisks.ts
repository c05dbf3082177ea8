import type * as pulumi from "@pulumi/pulumi";
import type { MachineDisk } from "../api/informationCalls";
import type { InputsOf } from "../inputsOf";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/**
 * The disks of a machine.
 *
 * Contacts the machine whenever the program runs, in a preview too.
 *
 * @throws TalosApiError when the machine refuses, or doesn't prove to be of this cluster
 * @throws WaitTimeoutError when it doesn't answer in time
 */
export function getDisks(args: MachineQueryArgs): Promise<MachineDisk[]> {
  return queryMachine(args, "its disks", (client, call) => client.disks(call));
}

/**
 * Like `getDisks`, with inputs that may be outputs: contacts nothing while one of them is unknown. The
 * answer is secret when an input is, as the credentials of `ClientConfiguration` are.
 */
export function getDisksOutput(args: InputsOf<MachineQueryArgs>): pulumi.Output<MachineDisk[]> {
  return queryWhenKnown(args, getDisks);
}
