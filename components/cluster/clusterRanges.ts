import { DEFAULT_POD_CIDRS, DEFAULT_SERVICE_CIDRS } from "../network/networkArgs";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";

/** The ranges of a cluster's pods and services. */
export function clusterRanges(args: TalosClusterArgs) {
  return {
    podCidrs: args.podCidrs ?? DEFAULT_POD_CIDRS,
    serviceCidrs: args.serviceCidrs ?? DEFAULT_SERVICE_CIDRS,
  };
}
