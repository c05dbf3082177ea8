import type { Taint } from "../config/machineFacts";
import type { ContainerStatus } from "./containerStatus";

/** The metadata that Talos wants on its Kubernetes node. */
export interface NodeMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Whether it is cordoned. Default: unchanged. */
  readonly isCordoned?: boolean;
}

/** A kubelet's report about its node. */
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
  /** The taints at its registration; later ones are ignored. */
  readonly registeredTaints: readonly Taint[];
  /** A control plane whose Talos installs no pod network, and fetches none. Default: it does one of both. */
  readonly awaitsPodNetwork?: boolean;
  /** Its Talos is that of an official image, without system extensions. Default: false. */
  readonly hasOfficialImage?: boolean;
  /** The static pods of a control plane, by app. */
  readonly staticPods: Readonly<Partial<Record<string, ContainerStatus>>>;
}

/** A stored node. */
export interface NodeRecord extends NodeReport, NodeMetadata {
  /** Whether it is cordoned. */
  readonly isCordoned: boolean;
  readonly uid: string;
  readonly createdAt: Date;
  readonly resourceVersion: number;
  readonly isReady: boolean;
  readonly readyChangedAt: Date;
  /** When its kubelet was lost; `undefined` while it runs. */
  readonly lostAt: Date | undefined;
  /** After this time without its kubelet the node is unknown, in milliseconds after `lostAt`. */
  readonly graceMs: number;
  /** The ranges of its pods, for ever; empty until the controller manager gives some. */
  readonly podCidrs: readonly string[];
}
