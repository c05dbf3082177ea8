export interface EtcdStatus {
  readonly role: "leader" | "member" | "learner";
  /** Alarms of this member, for example `NOSPACE`. */
  readonly alarms: readonly string[];
}

/** The state of a machine. Undefined means unknown. */
export interface MachineStatus {
  readonly name: string;
  readonly role: "controlplane" | "worker";
  readonly zone: string | undefined;
  readonly instanceId: string | undefined;
  readonly address: string;
  /** For example `running`; undefined if the machine doesn't answer. */
  readonly stage: string | undefined;
  /** What EC2 says of a machine that doesn't answer, for example `stopped`. Default: it wasn't asked. */
  readonly ec2State?: string;
  readonly talosVersion: string | undefined;
  /** Only for control plane machines. */
  readonly etcd: EtcdStatus | undefined;
  /** Whether the kubelet reports healthy. */
  readonly kubelet: "healthy" | "unhealthy" | undefined;
  readonly node: NodeStatus | undefined;
  readonly problems: readonly string[];
}

export interface NodeStatus {
  readonly name: string;
  readonly isReady: boolean;
  readonly kubeletVersion: string;
  /** Whether it accepts no new pods. */
  readonly isCordoned?: boolean;
  /** Why a drain of this package cordoned it: `change`, or `stop` with the group of machines. */
  readonly cordonedFor?: string | undefined;
}

export interface CertificateStatus {
  /** The file or server of the certificate. */
  readonly name: "talosconfig" | "kubeconfig" | "API server";
  /** RFC 3339. */
  readonly notAfter: string;
}

/** The state of a cluster. It contains no secret. */
export interface ClusterStatus {
  readonly stack: string;
  /** The time of the check, RFC 3339. */
  readonly at: string;
  readonly machines: readonly MachineStatus[];
  readonly certificates: readonly CertificateStatus[];
  /** Problems that belong to no machine. */
  readonly problems: readonly string[];
  /** Useful facts that are no problems, for example an unfinished upgrade. */
  readonly notes: readonly string[];
}

/** Whether everything is healthy, something isn't, or nothing is known. */
export type Verdict = "healthy" | "unhealthy" | "unknown";

export const VERDICT_EXIT_CODES: Readonly<Record<Verdict, number>> = {
  healthy: 0,
  unhealthy: 1,
  unknown: 2,
};

/** Judges a cluster. The state is unknown if no machine answers. */
export function judgeStatus({ machines, problems }: ClusterStatus): Verdict {
  if (machines.every(({ stage }) => stage === undefined)) {
    return "unknown";
  }
  return problems.length > 0 || machines.some((machine) => machine.problems.length > 0)
    ? "unhealthy"
    : "healthy";
}
