import { inputProblems } from "../configError";
import type { MachineType } from "../machineBasics";
import type { VersionContract } from "../releases/versionContract";
import { namespaceProblem } from "../rules/valueRules";
import type { Generator } from "./generator";
import { documentOf, mapping } from "./mapping";

/** Roles of the Talos API, from the most to the least powerful. */
export type ApiRole = "os:admin" | "os:operator" | "os:reader" | "os:etcd:backup";

/** Features of Talos to enable, disable or change. */
export interface MachineFeatures {
  /** The local load balancer for the Kubernetes API on every machine. */
  readonly kubePrism?: {
    /** Default: true, since contract v1.6. */
    readonly enabled?: boolean | undefined;
    /** Default: 7445. */
    readonly port?: number | undefined;
  };
  /** The caching DNS resolver on every machine. */
  readonly hostDns?: {
    /** Default: true, since contract v1.7. */
    readonly enabled?: boolean | undefined;
    /** Whether CoreDNS forwards to it. Default: as `enabled`, since contract v1.8. */
    readonly forwardKubeDnsToHost?: boolean | undefined;
    /** Whether it resolves the names of the cluster's machines. Default: false. */
    readonly resolveMemberNames?: boolean | undefined;
  };
  /**
   * Allows workloads of some namespaces to call the Talos API through control plane machines.
   * `os:admin` can take over the cluster. Default: not allowed.
   */
  readonly kubernetesTalosApiAccess?: {
    readonly allowedRoles: readonly ApiRole[];
    readonly allowedKubernetesNamespaces: readonly string[];
  };
}

/** The features of Talos. */
export interface MachineFeaturesOptions {
  /** Features of Talos to enable, disable or change. Default: Talos' defaults. */
  readonly features?: MachineFeatures | undefined;
}

const apiRoles: readonly string[] = [
  "os:admin",
  "os:operator",
  "os:reader",
  "os:etcd:backup",
] satisfies ApiRole[];

/** The port of KubePrism, where a program chooses none. */
export const DEFAULT_KUBE_PRISM_PORT = 7445;

/**
 * Features of Talos that are enabled, disabled or changed: `KubePrismConfig`, `ResolverConfig` and
 * `KubeTalosAPIAccessConfig`, or `machine.features` in older contracts.
 */
export const machineFeatures: Generator<MachineFeaturesOptions> = {
  check({ features = {} }) {
    const { kubePrism = {}, hostDns = {}, kubernetesTalosApiAccess: access } = features;
    return [
      ...inputProblems(["features", "kubePrism", "port"], checkPort(kubePrism.port)),
      ...inputProblems(
        ["features", "hostDns", "forwardKubeDnsToHost"],
        hostDns.enabled === false && hostDns.forwardKubeDnsToHost === true
          ? "needs hostDns.enabled: CoreDNS would use a disabled resolver"
          : undefined,
      ),
      ...(access?.allowedRoles ?? []).flatMap((role, index) =>
        inputProblems(
          ["features", "kubernetesTalosApiAccess", "allowedRoles", index],
          apiRoles.includes(role)
            ? undefined
            : `${JSON.stringify(role)} is not a role of the Talos API; there are ${apiRoles.join(", ")}`,
        ),
      ),
      ...(access?.allowedKubernetesNamespaces ?? []).flatMap((namespace, index) =>
        inputProblems(
          ["features", "kubernetesTalosApiAccess", "allowedKubernetesNamespaces", index],
          namespaceProblem(namespace),
        ),
      ),
    ];
  },

  generate({ machineType, features = {} }, contract) {
    const kubePrism = kubePrismFields(features, contract);
    const hostDNS = hostDnsFields(features, contract);
    const kubernetesTalosAPIAccess = apiAccessFields(features, machineType);
    if (!contract.kubernetesDocuments) {
      return {
        config: mapping({
          machine: { features: { kubePrism, hostDNS, kubernetesTalosAPIAccess } },
        }),
      };
    }
    // A feature is off without its document.
    return {
      documents: [
        ...documentOf("ResolverConfig", hostDNS && { hostDNS }),
        ...documentOf("KubePrismConfig", kubePrism && { port: kubePrism.port }),
        ...documentOf(
          "KubeTalosAPIAccessConfig",
          kubernetesTalosAPIAccess && { ...kubernetesTalosAPIAccess, enabled: undefined },
        ),
      ],
    };
  },
};

function kubePrismFields({ kubePrism }: MachineFeatures, contract: VersionContract) {
  const { enabled = kubePrism !== undefined || contract.kubePrism } = kubePrism ?? {};
  return enabled ? { enabled, port: kubePrism?.port ?? DEFAULT_KUBE_PRISM_PORT } : undefined;
}

function hostDnsFields({ hostDns }: MachineFeatures, contract: VersionContract) {
  if (hostDns === undefined && !contract.hostDns) {
    return undefined;
  }
  const { enabled = true, resolveMemberNames } = hostDns ?? {};
  const forward = hostDns?.forwardKubeDnsToHost ?? (enabled && contract.hostDnsForPods);
  return { enabled, forwardKubeDNSToHost: forward ? true : undefined, resolveMemberNames };
}

function apiAccessFields(
  { kubernetesTalosApiAccess: access }: MachineFeatures,
  machineType: MachineType,
) {
  return access === undefined || machineType === "worker"
    ? undefined
    : {
        enabled: true,
        allowedRoles: access.allowedRoles,
        allowedKubernetesNamespaces: access.allowedKubernetesNamespaces,
      };
}

function checkPort(port: number | undefined): string | undefined {
  return port === undefined || (Number.isInteger(port) && port >= 1 && port <= 65535)
    ? undefined
    : `${port} is not a port: 1 to 65535`;
}
