import type { Cni, HealthGate } from "../../../provider";
import { DEFAULT_POD_CIDRS, DEFAULT_SERVICE_CIDRS } from "../../../provider/config";
import type { ClusterCni } from "../../firewall/podNetworkPorts";
import type { PropertyProblem } from "../../problems";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/** The arguments that decide a cluster's pod network; see `TalosClusterArgs`. */
export interface PodNetworkChoices {
  readonly cni?: ClusterCni | undefined;
  readonly cniManifests?: readonly string[] | undefined;
}

/** The results for the machines' configuration and for the end of `up`. */
export interface PodNetworkPlan {
  /** Undefined: Talos' default. */
  readonly cni: Cni | undefined;
  /** Undefined: all gates. */
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

/**
 * If the pod network is installed later, nodes aren't Ready before, so `up` does not wait for them.
 */
export function planPodNetwork({ cni, cniManifests = [] }: PodNetworkChoices): PodNetworkPlan {
  if (cni === undefined || cni === "flannel") {
    return { cni: cni && { name: cni }, healthGates: undefined };
  }
  return cniManifests.length > 0
    ? { cni: { name: "custom", urls: [...cniManifests] }, healthGates: undefined }
    : { cni: { name: "none" }, healthGates: ["etcd", "apiServer"] };
}

/** The ranges of a cluster's pods and services. */
export interface ClusterRanges {
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
}

/** The ranges of a cluster's pods and services. */
export function clusterRanges(
  args: Pick<TalosClusterArgs, "podCidrs" | "serviceCidrs">,
): ClusterRanges {
  return {
    podCidrs: args.podCidrs ?? DEFAULT_POD_CIDRS,
    serviceCidrs: args.serviceCidrs ?? DEFAULT_SERVICE_CIDRS,
  };
}
