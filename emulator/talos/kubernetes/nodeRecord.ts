import type { Taint } from "../config/machineFacts";
import type { ContainerStatus } from "./containerStatus";

/** What Talos wants its node in Kubernetes to have. */
export interface NodeMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Whether it takes no new pods. Default: as it was. */
  readonly isCordoned?: boolean;
}

/** What a kubelet reports of its node. */
export interface NodeReport {
  readonly name: string;
  readonly isControlPlane: boolean;
  readonly internalAddress: string;
  /** `undefined` for a machine without a public address. */
  readonly externalAddress: string | undefined;
  readonly architecture: "amd64" | "arm64";
  readonly kubeletVersion: string;
  readonly talosVersion: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly region: string;
  readonly zone: string;
  readonly bootId: string;
  readonly machineId: string;
  /** Those it registers with; what it says of them later counts for nothing. */
  readonly registeredTaints: readonly Taint[];
  /** The static pods of a control plane, by app. */
  readonly staticPods: Readonly<Partial<Record<string, ContainerStatus>>>;
}

/** A node as it is stored. */
export interface NodeRecord extends NodeReport, NodeMetadata {
  /** Takes no new pods. */
  readonly isCordoned: boolean;
  readonly uid: string;
  readonly createdAt: Date;
  readonly resourceVersion: number;
  readonly isReady: boolean;
  readonly readyChangedAt: Date;
  /** When its kubelet was last heard of; `undefined` while it runs. */
  readonly lostAt: Date | undefined;
  /** From when on a lost kubelet makes the node's state unknown, in milliseconds after `lostAt`. */
  readonly graceMs: number;
  readonly podCidr: string;
}
