import { inputProblems } from "../inputProblem";
import type { MachineType } from "../machineConfigInput";
import type { Generator } from "./generator";
import { mapping } from "./mapping";

/** Roles of the Talos API, from the mightiest to the least. */
export type ApiRole = "os:admin" | "os:operator" | "os:reader" | "os:etcd:backup";

/** What of itself Talos switches on, off or over. */
export interface MachineFeatures {
  /** The load balancer for the Kubernetes API on every machine's own loopback. */
  readonly kubePrism?: {
    /** Default: true. */
    readonly enabled?: boolean | undefined;
    /** Default: 7445. */
    readonly port?: number | undefined;
  };
  /** The caching resolver on every machine. */
  readonly hostDns?: {
    /** Default: true. */
    readonly enabled?: boolean | undefined;
    /** Whether CoreDNS asks it. Default: as `enabled`. */
    readonly forwardKubeDnsToHost?: boolean | undefined;
    /** Whether it knows the cluster's machines by name. Default: false. */
    readonly resolveMemberNames?: boolean | undefined;
  };
  /**
   * Lets workloads of some namespaces call the Talos API, through control plane machines. Mind what
   * they can do with it: `os:admin` can take over the cluster. Default: none can.
   */
  readonly kubernetesTalosApiAccess?: {
    readonly allowedRoles: readonly ApiRole[];
    readonly allowedKubernetesNamespaces: readonly string[];
  };
}

const apiRoles: readonly string[] = [
  "os:admin",
  "os:operator",
  "os:reader",
  "os:etcd:backup",
] satisfies ApiRole[];

const defaultKubePrismPort = 7445;

/** What of itself Talos switches on, off or over, in `machine.features`. */
export const machineFeatures: Generator = {
  check({ features = {} }) {
    const { kubePrism = {}, hostDns = {}, kubernetesTalosApiAccess: access } = features;
    return [
      ...inputProblems(["features", "kubePrism", "port"], checkPort(kubePrism.port)),
      ...inputProblems(
        ["features", "hostDns", "forwardKubeDnsToHost"],
        hostDns.enabled === false && hostDns.forwardKubeDnsToHost === true
          ? "needs hostDns.enabled: CoreDNS would ask a resolver that is off"
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
    ];
  },

  generate({ machineType, features = {} }) {
    const { kubePrism, hostDns } = features;
    return {
      config: mapping({
        machine: {
          features: {
            kubePrism:
              kubePrism?.enabled === false
                ? undefined
                : { enabled: true, port: kubePrism?.port ?? defaultKubePrismPort },
            hostDNS: hostDnsFields(hostDns),
            kubernetesTalosAPIAccess: apiAccessFields(machineType, features),
          },
        },
      }),
    };
  },
};

function hostDnsFields({
  enabled = true,
  forwardKubeDnsToHost = enabled,
  resolveMemberNames,
}: MachineFeatures["hostDns"] = {}) {
  return {
    enabled,
    forwardKubeDNSToHost: forwardKubeDnsToHost,
    resolveMemberNames,
  };
}

function apiAccessFields(
  machineType: MachineType,
  { kubernetesTalosApiAccess: access }: MachineFeatures,
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
