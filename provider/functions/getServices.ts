import type * as pulumi from "@pulumi/pulumi";
import type { ServiceStatus } from "../api/talosClient";
import type { InputsOf } from "../inputsOf";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/**
 * The services of Talos on a machine, how each one is and what happened to it.
 *
 * Contacts the machine whenever the program runs, in a preview too.
 *
 * @throws TalosApiError when the machine refuses, or doesn't prove to be of this cluster
 * @throws WaitTimeoutError when it doesn't answer in time
 */
export function getServices(args: MachineQueryArgs): Promise<ServiceStatus[]> {
  return queryMachine(args, "its services", (client, call) => client.services(call));
}

/**
 * Like `getServices`, with inputs that may be outputs: contacts nothing while one of them is unknown. The
 * answer is secret when an input is, as the credentials of `ClientConfiguration` are.
 */
export function getServicesOutput(
  args: InputsOf<MachineQueryArgs>,
): pulumi.Output<ServiceStatus[]> {
  return queryWhenKnown(args, getServices);
}
