import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { CLUSTER_DELETION_VARIABLE, talosKind } from "../../provider/engine";
import { dependents } from "../dependents";
import { recordedStack } from "../repair/pendingOperations";
import { readResources } from "../stackResource";

const OF_MACHINES: ReadonlySet<string | undefined> = new Set(["ConfigurationApply", "EtcdMember"]);

/**
 * For destroys that delete whole clusters: tells the engine to ask no machine to leave its cluster.
 *
 * @param isGone whether a person says that the clusters no longer exist, whose secrets are in other stacks
 */
export function skipLeavingEtcd(stack: Stack, exported: Deployment, isGone: boolean): void {
  if (isGone || hasWholeClusters(exported)) {
    const { envVars } = stack.workspace;
    envVars[CLUSTER_DELETION_VARIABLE] = "yes";
  }
}

/**
 * Whether the stack contains the secrets of each machine's cluster, so that a destroy deletes whole
 * clusters. Otherwise some machines of a cluster may remain. Pure.
 */
export function hasWholeClusters(exported: Deployment): boolean {
  const { resources } = recordedStack(exported);
  const ofSecrets = dependents(resources, ({ type }) => talosKind(type) === "MachineSecrets");
  return readResources(exported)
    .filter(({ type }) => OF_MACHINES.has(talosKind(type)))
    .every(({ urn }) => ofSecrets.has(urn));
}
