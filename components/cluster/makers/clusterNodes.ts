import * as pulumi from "@pulumi/pulumi";
import { HEALTH_GATES } from "../../../provider/lifecycle";
import { logBeside } from "../../logBeside";
import { machinesOfNetwork, removeEnded } from "../../workers/endedNodes";
import type { NodeObserver } from "../../workers/nodeObserver";
import type { ClusterPlan } from "../plan/planCluster";

/**
 * How to ask Kubernetes whether nodes are ready; undefined if the pod network is installed later,
 * because the cluster doesn't wait for nodes then.
 *
 * @param endpoint the Talos API of a control plane
 */
export function observeNodes(
  args: ClusterPlan,
  kubeconfig: pulumi.Output<string>,
  endpoint: pulumi.Output<string>,
): pulumi.Output<NodeObserver | undefined> {
  const gates = args.facts.healthGates ?? [...HEALTH_GATES];
  return pulumi
    .all([pulumi.output(gates), kubeconfig, endpoint])
    .apply(([wanted, known, dialled]) =>
      wanted.includes("nodesReady") ? { kubeconfig: known, endpoint: dialled } : undefined,
    );
}

/**
 * Removes nodes of ended machines from Kubernetes; see `removeEnded`. A preview removes nothing.
 *
 * @param cluster beside which each removal is shown
 * @returns known when that is done
 */
export function forgetEndedNodes(
  kubernetes: pulumi.Output<NodeObserver | undefined>,
  vpcId: pulumi.Output<string>,
  cluster: pulumi.Resource | undefined,
): pulumi.Output<void> {
  if (pulumi.runtime.isDryRun() || cluster === undefined) {
    return pulumi.output(undefined);
  }
  return pulumi
    .all([kubernetes, vpcId])
    .apply(([observer, id]) =>
      removeEnded(
        observer,
        machinesOfNetwork(id, { parent: cluster }),
        (line) => void logBeside(cluster, line),
      ),
    );
}
