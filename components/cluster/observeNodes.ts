import * as pulumi from "@pulumi/pulumi";
import { HEALTH_GATES } from "../../provider/lifecycle/awaitHealth";
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
