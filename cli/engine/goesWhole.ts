import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { CLUSTER_GOES_VARIABLE } from "../../provider/clusterGoes";
import { dependents } from "../dependents";
import { readResources } from "../stackResource";

const SECRETS = "pulumi-nodejs:dynamic/talos:MachineSecrets";
const OF_MACHINES: ReadonlySet<string> = new Set([
  "pulumi-nodejs:dynamic/talos:ConfigurationApply",
  "pulumi-nodejs:dynamic/talos:EtcdMember",
]);

/** Has destroys of a stack ask no machine to leave its cluster, where all of it goes with the stack. */
export function goesWhole(stack: Stack, exported: Deployment): void {
  if (hasWholeClusters(exported)) {
    const { envVars } = stack.workspace;
    envVars[CLUSTER_GOES_VARIABLE] = "yes";
  }
}

/**
 * Whether the secrets of each machine's cluster are in the stack, so that nothing of a cluster stays without
 * it. Of a stack that has machines of a cluster of others, some may stay. Pure.
 */
export function hasWholeClusters(exported: Deployment): boolean {
  const ofSecrets = dependents(exported, ({ type }) => type === SECRETS);
  return readResources(exported)
    .filter(({ type }) => OF_MACHINES.has(type))
    .every(({ urn }) => ofSecrets.has(urn));
}
