import type { EtcdService } from "../etcd/etcdService";
import type { MachineFacts } from "../config/machineFacts";
import type { ContainerStatus } from "../kubernetes/containerStatus";
import type { NodeRecord } from "../kubernetes/nodeRecord";
import type { StaticPodDefinition } from "../kubernetes/staticPodDefinitions";
import type { SystemPod } from "../kubernetes/systemPods";
import type { KubeSpanIdentity } from "./kubeSpanIdentity";
import type { Hostname } from "./hostname";
import type { MachineStatus } from "./machineStatus";
import type { DataVolume } from "./disks";
import type { MachineDisk } from "./machineDisk";
import type { ServiceBoard } from "./serviceBoard";
import type { Uptime } from "../runtime/uptime";

/** The EC2 instance a node is. */
export interface Hardware {
  /** Public address, on which the simulator listens, as it does where there is none. */
  readonly address: string;
  readonly hasPublicAddress: boolean;
  readonly privateAddress: string;
  /** Of the network that its private address is in. */
  readonly networkId: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly region: string;
  readonly zone: string;
  readonly architecture: "amd64" | "arm64";
  /** Attached besides the root volume, in the order of their devices; volumes come and go. */
  readonly dataVolumes: readonly DataVolume[];
}

/** The configuration a node runs and the one it has on disk; they differ while one is staged or tried. */
export interface ActiveConfig {
  readonly facts: MachineFacts;
  /** YAML as it was applied. */
  readonly active: string;
  readonly persistent: string;
  /**
   * Whether the one on disk was written since the machine started. Talos has a resource of it only
   * then (v1.12.1, `config.AcquireController`; observed on real nodes after a reboot).
   */
  readonly isWrittenSinceStart: boolean;
}

/** What discovery tells of a node of the same cluster. */
export interface Peer {
  readonly nodeId: string;
  readonly hostname: Hostname;
  readonly nodename: string;
  readonly privateAddress: string;
  readonly machineType: "controlplane" | "worker";
  readonly talosVersion: string;
  /** Where it is in the cluster's network of WireGuard, if it takes part. */
  readonly kubeSpan: KubeSpanIdentity | undefined;
  /** Whether it is on and packets get to it. */
  readonly isReachable: boolean;
}

/** What a node shows of itself through its API. */
export interface NodeState {
  readonly hardware: Hardware;
  /** With a leading v: `v1.12.1`. */
  readonly talosVersion: string;
  readonly hostname: Hostname;
  /** Events, logs and services of the machine since its kernel started, and the name of that start. */
  readonly uptime: Uptime;
  /** The time as its clock shows it, in milliseconds since 1970. */
  readonly now: number;
  /** Whether nothing can be written to its disk any more. */
  readonly isDiskFull: boolean;
  readonly disk: MachineDisk;
  /** Names the node to its cluster; kept on disk. */
  readonly nodeId: string;
  readonly status: MachineStatus;
  /** `undefined` in maintenance mode. */
  readonly config: ActiveConfig | undefined;
  /** `undefined` in maintenance mode. */
  readonly nodename: string | undefined;
  readonly services: ServiceBoard;
  /** On control planes only. */
  readonly etcd: EtcdService | undefined;
  /** The node as the Kubernetes API has it, once it is registered. */
  readonly kubernetesNode: NodeRecord | undefined;
  /** Pods that its kubelet runs. */
  readonly pods: readonly SystemPod[];
  /** Static pods as Talos defines them for the kubelet. */
  readonly staticPods: readonly StaticPodDefinition[];
  /** Static pods as Talos last saw them, by app. */
  readonly staticPodStatuses: Readonly<Record<string, ContainerStatus>>;
  /** Nodes of the same cluster, itself among them, by node id; none with discovery off. */
  readonly peers: readonly Peer[];
}
