/** How a machine's member of etcd is. */
export interface EtcdStatus {
  readonly role: "leader" | "member" | "learner";
  /** Raised by this member, for example `NOSPACE`. */
  readonly alarms: readonly string[];
}

/** How a machine is. Undefined stands for what couldn't be asked. */
export interface MachineStatus {
  readonly name: string;
  readonly role: "controlplane" | "worker";
  readonly zone: string | undefined;
  readonly instanceId: string | undefined;
  readonly address: string;
  /** For example `running`; undefined when the machine doesn't answer. */
  readonly stage: string | undefined;
  readonly talosVersion: string | undefined;
  /** Of a control plane machine. */
  readonly etcd: EtcdStatus | undefined;
  /** Whether the kubelet says that it is well. */
  readonly kubelet: "healthy" | "unhealthy" | undefined;
  /** Its node in Kubernetes. */
  readonly node: NodeStatus | undefined;
  /** What isn't as it should be. */
  readonly problems: readonly string[];
}

/** A machine's node in Kubernetes. */
export interface NodeStatus {
  readonly name: string;
  readonly isReady: boolean;
  readonly kubeletVersion: string;
  /** Whether it takes no new pods. */
  readonly isCordoned?: boolean;
  /** What a drain of ours keeps pods off it for: `change`, or `stop` with who takes turns. */
  readonly cordonedFor?: string | undefined;
}

/** Until when a certificate is valid. */
export interface CertificateStatus {
  /** Whose it is. */
  readonly name: "talosconfig" | "kubeconfig" | "API server";
  /** RFC 3339. */
  readonly notAfter: string;
}

/** How a cluster is; holds no secret. */
export interface ClusterStatus {
  readonly stack: string;
  /** When it was looked at, RFC 3339. */
  readonly at: string;
  readonly machines: readonly MachineStatus[];
  readonly certificates: readonly CertificateStatus[];
  /** What isn't well besides machines. */
  readonly problems: readonly string[];
  /** What is well and worth knowing, such as an upgrade that isn't through. */
  readonly notes: readonly string[];
}

/** Whether all is well, something isn't, or nothing could be asked. */
export type Verdict = "well" | "unwell" | "unknown";

/** What the process ends with. */
export const VERDICT_EXIT_CODES: Readonly<Record<Verdict, number>> = {
  well: 0,
  unwell: 1,
  unknown: 2,
};

/** Judges a cluster: it can't be told when no machine answers at all. */
export function judgeStatus({ machines, problems }: ClusterStatus): Verdict {
  if (machines.every(({ stage }) => stage === undefined)) {
    return "unknown";
  }
  return problems.length > 0 || machines.some((machine) => machine.problems.length > 0)
    ? "unwell"
    : "well";
}
