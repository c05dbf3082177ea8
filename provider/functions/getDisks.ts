import type * as pulumi from "@pulumi/pulumi";
import type { MachineDisk } from "../api/informationCalls";
import type { InputsOf } from "../inputsOf";
import {
  type MachineQueryArgs,
  type MaintenanceQueryArgs,
  queryMachine,
  queryMaintenance,
  queryWhenKnown,
} from "./machineQuery";

/**
 * The disks of a machine; with `maintenance: true` of one that has no configuration yet, to choose the
 * disk to install on (Talos v1.12.1 answers that in maintenance mode too).
 *
 * Contacts the machine whenever the program runs, in a preview too.
 *
 * @throws TalosApiError when the machine refuses, or doesn't prove to be of this cluster
 * @throws WaitTimeoutError when it doesn't answer in time
 */
export function getDisks(args: MachineQueryArgs | MaintenanceQueryArgs): Promise<MachineDisk[]> {
  if (isForMaintenance(args)) {
    return queryMaintenance(args, "its disks", (client, call) => client.disks(call));
  }
  return queryMachine(args, "its disks", (client, call) => client.disks(call));
}

/**
 * Like `getDisks`, with inputs that may be outputs: contacts nothing while one of them is unknown. The
 * answer is secret when an input is, as the credentials of `ClientConfiguration` are.
 */
export function getDisksOutput(
  args: InputsOf<MachineQueryArgs> | InputsOf<MaintenanceQueryArgs>,
): pulumi.Output<MachineDisk[]> {
  return queryWhenKnown<MachineQueryArgs | MaintenanceQueryArgs, MachineDisk[]>(args, getDisks);
}

/** Nothing but a plain `true` has a machine asked that doesn't prove who it is. */
function isForMaintenance(
  args: MachineQueryArgs | MaintenanceQueryArgs,
): args is MaintenanceQueryArgs {
  const { maintenance }: { readonly maintenance?: unknown } = { maintenance: false, ...args };
  return maintenance === true;
}
