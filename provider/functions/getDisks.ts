import type * as pulumi from "@pulumi/pulumi";
import type { MachineDisk } from "../api/informationCalls";
import type { InputsOf } from "../engine/talosResource";
import {
  type MachineQueryArgs,
  type MaintenanceQueryArgs,
  queryMachine,
  queryMaintenance,
  queryWhenKnown,
} from "./machineQuery";

/**
 * The disks of a machine. With `maintenance: true`, of a machine without a configuration, to choose
 * the disk for Talos (Talos v1.12.1 answers that in maintenance mode). Contacts the machine
 * whenever the program runs, also in a preview.
 *
 * @throws TalosApiError if the machine refuses, or doesn't prove that it is part of this cluster
 * @throws WaitTimeoutError if it doesn't answer in time
 */
export function getDisks(args: MachineQueryArgs | MaintenanceQueryArgs): Promise<MachineDisk[]> {
  if (isForMaintenance(args)) {
    return queryMaintenance(args, "its disks", (client, call) => client.disks(call));
  }
  return queryMachine(args, "its disks", (client, call) => client.disks(call));
}

/**
 * Like `getDisks`, with inputs that may be outputs. It contacts no machine while one of them is
 * unknown. The answer is secret if an input is secret, such as the credentials of
 * `ClientConfiguration`.
 */
export function getDisksOutput(
  args: InputsOf<MachineQueryArgs> | InputsOf<MaintenanceQueryArgs>,
): pulumi.Output<MachineDisk[]> {
  return queryWhenKnown<MachineQueryArgs | MaintenanceQueryArgs, MachineDisk[]>(args, getDisks);
}

/** Only a plain `true` allows a query without proof of the machine's identity. */
function isForMaintenance(
  args: MachineQueryArgs | MaintenanceQueryArgs,
): args is MaintenanceQueryArgs {
  const { maintenance }: { readonly maintenance?: unknown } = { maintenance: false, ...args };
  return maintenance === true;
}
