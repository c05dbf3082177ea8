import { type ConfigDocument, isMapping } from "../../../provider/config";
import { textsAt, valueAt } from "./yamlPath";

/** What a controller manager gives ranges of pods to nodes with. */
export interface NodeIpamFacts {
  /** Whether it does so at all. */
  readonly allocates: boolean;
  /** The ranges of all pods: one, or one of each IP version. */
  readonly clusterCidrs: readonly string[];
  /** The ranges of services, which no node gets. */
  readonly serviceCidrs: readonly string[];
  /** Prefix lengths of a node's share, from flags. Zero without a flag, as for the program. */
  readonly maskSizes: { readonly any: number; readonly 4: number; readonly 6: number };
}

/**
 * The facts, from the v1alpha1 document. A flag replaces the range that Talos gives, and adds to those
 * of services. Source: talos v1.12.1, `k8s/control_plane_static_pod.go`, `manageControllerManager`.
 *
 * @param ranges of pods and services in the configuration
 */
export function nodeIpamFacts(
  config: ConfigDocument,
  ranges: { readonly podCidrs: readonly string[]; readonly serviceCidrs: readonly string[] },
): NodeIpamFacts {
  const flag = (name: string) => flagOf(config, name);
  const maskSize = (name: string) => Number(flag(name) ?? 0);
  const cidrs = (text: string | undefined) => text?.trim().split(",") ?? [];
  const given = flag("cluster-cidr");
  return {
    allocates: flag("allocate-node-cidrs") !== "false",
    clusterCidrs: given === undefined ? ranges.podCidrs : cidrs(given),
    serviceCidrs: [...ranges.serviceCidrs, ...cidrs(flag("service-cluster-ip-range"))],
    maskSizes: {
      any: maskSize("node-cidr-mask-size"),
      4: maskSize("node-cidr-mask-size-ipv4"),
      6: maskSize("node-cidr-mask-size-ipv6"),
    },
  };
}

/** A flag's value, in either spelling. Of one that is repeated, the last counts. */
function flagOf(config: ConfigDocument, flag: string): string | undefined {
  const flags = valueAt(config, "cluster", "controllerManager", "extraArgs");
  return Object.entries(isMapping(flags) ? flags : {})
    .filter(([name]) => name.replaceAll("_", "-") === flag)
    .flatMap(([name, value]) => (typeof value === "string" ? [value] : textsAt(flags, name)))
    .at(-1);
}
