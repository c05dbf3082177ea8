import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { askAws } from "../repair/askAws";
import { recordedStack } from "../repair/pendingOperations";
import { findMade } from "./findMade";
import { planSweep, type Sweep } from "./planSweep";
import { recordedClusters, recordedIds, type RecordedCluster } from "./recordedClusters";

/**
 * Finds out from AWS what controllers created in the clusters of a stack. It changes nothing.
 *
 * @param exported the stack, with its secrets in clear
 * @param clusters default: those in the stack's state
 * @throws CommandFailure if AWS can't be called
 */
export async function lookForMade(
  stack: Stack,
  exported: Deployment,
  clusters: readonly RecordedCluster[] = recordedClusters(exported),
): Promise<readonly Sweep[]> {
  if (clusters.length === 0) {
    return [];
  }
  const providers = recordedStack(exported).resources.filter(
    ({ type }) => type === "pulumi:providers:aws",
  );
  const recorded = recordedIds(exported);
  return askAws(stack, providers, (askAs) =>
    Promise.all(
      clusters.map(async (cluster) =>
        planSweep(cluster, await findMade(askAs(cluster.provider), cluster), recorded),
      ),
    ),
  );
}
