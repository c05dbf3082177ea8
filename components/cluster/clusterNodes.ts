import * as pulumi from "@pulumi/pulumi";
import { HEALTH_GATES } from "../../provider/lifecycle/awaitHealth";
import { logBeside } from "../logBeside";
import { machinesOfNetwork, removeEnded } from "../workers/endedNodes";
import type { NodeObserver } from "../workers/nodeObserver";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";
import { planPodNetwork } from "./planPodNetwork";

/**
 * How to ask Kubernetes whether nodes are ready; undefined if the pod network is installed later,
 * because the cluster doesn't wait for nodes then.
 *
 * @param endpoint the Talos API of a control plane
 */
export function observeNodes(
  args: TalosClusterArgs,
  kubeconfig: pulumi.Output<string>,
  endpoint: pulumi.Output<string>,
): pulumi.Output<NodeObserver | undefined> {
  const gates = args.healthGates ?? planPodNetwork(args).healthGates ?? [...HEALTH_GATES];
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
 * @returns what must wait for that depends on it: an empty list
 */
export function forgetEndedNodes(
  kubernetes: pulumi.Output<NodeObserver | undefined>,
  vpcId: pulumi.Output<string>,
  cluster: pulumi.Resource | undefined,
): pulumi.Output<pulumi.Resource[]> {
  if (pulumi.runtime.isDryRun() || cluster === undefined) {
    return pulumi.output<pulumi.Resource[]>([]);
  }
  return pulumi.all([kubernetes, vpcId]).apply(async ([observer, id]) => {
    await removeEnded(
      observer,
      machinesOfNetwork(id, { parent: cluster }),
      (line) => void logBeside(cluster, line),
    );
    return [];
  });
}
