import type { Cni, HealthGate } from "../../provider";
import type { ClusterCni } from "../firewall/podNetworkPorts";
import type { PropertyProblem } from "../problems";

/** What a cluster's pod network is planned from; see `TalosClusterArgs`. */
export interface PodNetworkChoices {
  readonly cni?: ClusterCni | undefined;
  readonly cniManifests?: readonly string[] | undefined;
}

/** What follows for the machines' configuration and for when the cluster is done. */
export interface PodNetworkPlan {
  /** Undefined: what Talos does by itself. */
  readonly cni: Cni | undefined;
  /** Undefined: all of them. */
  readonly healthGates: HealthGate[] | undefined;
}

/** All problems of the choices for a pod network. */
export function checkPodNetwork({
  cni = "flannel",
  cniManifests = [],
}: PodNetworkChoices): PropertyProblem[] {
  if (cni !== "flannel" || cniManifests.length === 0) {
    return [];
  }
  const reason = `Talos brings Flannel itself: leave cniManifests out, or set cni to what they install`;
  return [{ property: "cniManifests", reason }];
}

/** Where the network comes later, nodes aren't Ready before, and nobody waits for them. */
export function planPodNetwork({ cni, cniManifests = [] }: PodNetworkChoices): PodNetworkPlan {
  if (cni === undefined || cni === "flannel") {
    return { cni: cni && { name: cni }, healthGates: undefined };
  }
  return cniManifests.length > 0
    ? { cni: { name: "custom", urls: [...cniManifests] }, healthGates: undefined }
    : { cni: { name: "none" }, healthGates: ["etcd", "apiServer"] };
}
