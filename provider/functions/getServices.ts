import type * as pulumi from "@pulumi/pulumi";
import type { ServiceStatus } from "../api/talosClient";
import type { InputsOf } from "../engine/talosResource";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/**
 * The Talos services of a machine, with their state and events. Contacts the machine whenever the
 * program runs, also in a preview.
 *
 * @throws TalosApiError if the machine refuses, or doesn't prove that it is part of this cluster
 * @throws WaitTimeoutError if it doesn't answer in time
 */
export function getServices(args: MachineQueryArgs): Promise<ServiceStatus[]> {
  return queryMachine(args, "its services", (client, call) => client.services(call));
}

/**
 * Like `getServices`, with inputs that may be outputs. It contacts no machine while one of them is
 * unknown. The answer is secret if an input is secret, such as the credentials of
 * `ClientConfiguration`.
 */
export function getServicesOutput(
  args: InputsOf<MachineQueryArgs>,
): pulumi.Output<ServiceStatus[]> {
  return queryWhenKnown(args, getServices);
}
