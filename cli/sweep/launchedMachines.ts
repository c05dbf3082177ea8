import type { Deployment } from "@pulumi/pulumi/automation";
import { talosKind } from "../../provider/engine";
import { recordedStack } from "../repair/pendingOperations";
import type { Sweep } from "./planSweep";

/**
 * Whether a stack has Karpenter itself, so that the machines that Karpenter launched are the stack's, and go with it. A
 * killed run that was creating it may have got so far. Pure.
 *
 * @param exported the stack
 */
export function launchesMachines(exported: Deployment): boolean {
  const { resources, pending } = recordedStack(exported);
  return [...resources, ...pending.map(({ resource }) => resource)].some(
    ({ type, inputs = {} }) =>
      talosKind(type) === "KubernetesObjects" && inputs.inventory === "karpenter",
  );
}

export function machinesOf(sweep: Sweep): Sweep {
  const made = sweep.made.filter(({ thing }) => thing.kind === "machine");
  return { ...sweep, made, rules: [], data: [] };
}

export function withoutMachines(sweep: Sweep): Sweep {
  return { ...sweep, made: sweep.made.filter(({ thing }) => thing.kind !== "machine") };
}
