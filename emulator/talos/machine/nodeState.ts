import type { ComponentFacts } from "../config/componentFacts";
import type { MachineFacts } from "../config/machineFacts";
import type { EtcdService } from "../etcd/etcdService";
import type { ContainerStatus } from "../kubernetes/containerStatus";
import type { NodeRecord } from "../kubernetes/nodeRecord";
import type { StaticPodDefinition, StaticPodSources } from "../kubernetes/staticPodDefinitions";
import type { SystemPod } from "../kubernetes/systemPods";
import type { Uptime } from "../runtime/uptime";
import type { DataVolume } from "./disks";
import type { Hostname } from "./hostname";
import type { KubeSpanIdentity } from "./kubeSpanIdentity";
import type { MachineDisk } from "./machineDisk";
import type { MachineStatus } from "./machineStatus";
import type { ServiceBoard } from "./serviceBoard";

/** The EC2 instance of a node. */
export interface Hardware {
  /** Public address, on which the simulator listens; also set for a machine without one. */
  readonly address: string;
  readonly hasPublicAddress: boolean;
  readonly privateAddress: string;
  /** The network of its private address. */
  readonly networkId: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly region: string;
  readonly zone: string;
  readonly architecture: "amd64" | "arm64";
  /**
   * The volumes attached besides the root volume, in the order of their devices. They may change.
   */
  readonly dataVolumes: readonly DataVolume[];
}

/**
 * The active configuration of a node and the one on its disk. They differ while one is staged or
 * tried out.
 */
export interface ActiveConfig {
  readonly facts: MachineFacts;
  /** The applied YAML. */
  readonly active: string;
  readonly persistent: string;
  /**
   * Whether the one on disk was written since the machine started. Only then does Talos have a
   * resource of it (v1.12.1, `config.AcquireController`; observed on real nodes after a reboot).
   */
  readonly isWrittenSinceStart: boolean;
}

/** The discovery entry of a node of the same cluster. */
export interface Peer {
  readonly nodeId: string;
  readonly hostname: Hostname;
  readonly nodename: string;
  readonly privateAddress: string;
  readonly machineType: "controlplane" | "worker";
  readonly talosVersion: string;
  /** Its KubeSpan identity, if KubeSpan is enabled. */
  readonly kubeSpan: KubeSpanIdentity | undefined;
  /** Whether it runs and packets reach it. */
  readonly isReachable: boolean;
}

/** The state of a node that its API shows. */
export interface NodeState {
  readonly hardware: Hardware;
  /** With a leading v: `v1.12.1`. */
  readonly talosVersion: string;
  readonly hostname: Hostname;
  /** Events, logs, services and boot id since the machine's kernel started. */
  readonly uptime: Uptime;
  /** The time of its clock, in milliseconds since 1970. */
  readonly now: number;
  /** Whether its clock has been set by a time server since it started. */
  readonly isTimeSynced: boolean;
  /** Whether its disk is full. */
  readonly isDiskFull: boolean;
  readonly disk: MachineDisk;
  /** The node's id in its cluster, which is kept on disk. */
  readonly nodeId: string;
  readonly status: MachineStatus;
  /** `undefined` in maintenance mode. */
  readonly config: ActiveConfig | undefined;
  /** `undefined` in maintenance mode. */
  readonly nodename: string | undefined;
  readonly services: ServiceBoard;
  /** Only on control planes. */
  readonly etcd: EtcdService | undefined;
  /** Its Kubernetes node, once it is registered. */
  readonly kubernetesNode: NodeRecord | undefined;
  /** Pods that its kubelet runs. */
  readonly pods: readonly SystemPod[];
  /** Talos' definitions of static pods for the kubelet. */
  readonly staticPods: readonly StaticPodDefinition[];
  /** The log of a static pod's container that has ended, by its id in talosctl's form. */
  deadContainerLog(id: string): readonly string[] | undefined;
  /** What Talos renders static pods from; undefined on workers and in maintenance mode. */
  readonly staticPodSources: StaticPodSources | undefined;
  /** The kubelet's start parameters; undefined while Talos could not render any. */
  readonly renderedKubelet: ComponentFacts | undefined;
  /** Static pods as Talos last saw them, by app. */
  readonly staticPodStatuses: Readonly<Record<string, ContainerStatus>>;
  /** Nodes of the same cluster, including itself, by node id; empty without discovery. */
  readonly peers: readonly Peer[];
}
