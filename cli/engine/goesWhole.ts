import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { CLUSTER_GOES_VARIABLE } from "../../provider/clusterGoes";
import { readResources } from "../stackResource";

const SECRETS = "pulumi-nodejs:dynamic/talos:MachineSecrets";

/**
 * Has destroys of a stack ask no machine to leave its cluster, where the cluster goes with the stack: where
 * the cluster's secrets are in it. Of a stack with machines alone others may stay.
 */
export function goesWhole(stack: Stack, exported: Deployment): void {
  if (readResources(exported).some(({ type }) => type === SECRETS)) {
    const { envVars } = stack.workspace;
    envVars[CLUSTER_GOES_VARIABLE] = "yes";
  }
}
