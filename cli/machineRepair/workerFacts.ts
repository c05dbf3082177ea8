export interface NodeFacts {
  readonly name: string;
  /** The condition `Ready`. `Unknown`: Kubernetes no longer hears from the kubelet. */
  readonly ready: "True" | "False" | "Unknown";
  readonly since: Date;
  /** Whether a person has marked it as one to keep (`KEEP_MARK`). */
  readonly isKept: boolean;
  /** Why a drain of this package cordoned it. */
  readonly cordonedFor: string | undefined;
}

/** A check of EC2 that a machine fails. Source: EC2 API, `DescribeInstanceStatus`. */
export interface Impairment {
  /** Of the machine's own system, of its host, or of its volumes. */
  readonly of: "instance" | "system" | "volumes";
  /** Undefined if EC2 doesn't say. */
  readonly since: Date | undefined;
}

/** The end of a machine that EC2 has scheduled, because its hardware fails. */
export interface ScheduledEnd {
  /** Source: EC2 API, `EventCode`. */
  readonly code: "instance-retirement" | "instance-stop";
  readonly notBefore: Date | undefined;
}

/** An auto scaling group, as far as it matters for a replacement. */
export interface GroupFacts {
  readonly name: string;
  /** Processes that a person has suspended, such as `Terminate`. */
  readonly suspended: readonly string[];
  readonly isRefreshing: boolean;
  /** How many machines it still has to launch. */
  readonly missing: number;
}

export type ReplacementMeans =
  | {
      readonly kind: "fixed";
      /** URN of its instance. Undefined if the stack's state doesn't have it. */
      readonly urn: string | undefined;
      /** Device names of volumes that end with it. */
      readonly dataVolumes: readonly string[];
      /** Whether Pulumi or EC2 refuses to end it. */
      readonly isProtected: boolean;
    }
  | {
      readonly kind: "group";
      readonly group: GroupFacts;
      /** Source: EC2 Auto Scaling API, `LifecycleState`. */
      readonly lifecycleState: string;
      readonly isHealthyToGroup: boolean;
    };

/** A worker, as Kubernetes, EC2 and its group see it. */
export interface WorkerFacts {
  /** Its name in the stack; of a group's machine, its instance id. */
  readonly name: string;
  readonly pool: string;
  readonly zone: string;
  readonly instanceId: string;
  /** Its address inside the network. */
  readonly privateAddress: string;
  /** As EC2 has it, such as `running`; `terminated` if EC2 no longer has it. */
  readonly state: string;
  readonly launchedAt: Date | undefined;
  readonly impairments: readonly Impairment[];
  readonly scheduledEnd: ScheduledEnd | undefined;
  /** Undefined if Kubernetes has none. */
  readonly node: NodeFacts | undefined;
  readonly means: ReplacementMeans;
}

export interface ClusterFacts {
  readonly workers: readonly WorkerFacts[];
  /** Why nothing may be replaced now, such as an API that can't be asked. Empty: nothing forbids it. */
  readonly obstacles: readonly string[];
  /** Whether Kubernetes could be asked. Otherwise nothing is known of nodes. */
  readonly isKnown: boolean;
}

/** On a node with this label or annotation, of any value but `false`, no machine is repaired. */
export const KEEP_MARK = "pulumi-talos-aws/no-repair";

/** The reason that a drain of a repair records. */
export const DRAINED_FOR_REPAIR = "repair";
