import type { SecretsBundle } from "../pki/secretsBundle";
import type { AcceptedAuthorities } from "./generate/acceptedAuthorities";
import type { Cni } from "./generate/clusterNetwork";
import type { DiskEncryption } from "./generate/diskEncryption";
import type { ExternalCloudProvider } from "./generate/externalCloudProvider";
import type { KernelModule } from "./generate/kernel";
import type { MachineFeatures } from "./generate/machineFeatures";
import type { InlineManifest } from "./generate/manifests";
import type { NetworkInterface } from "./generate/networkInterfaces";
import type { UserVolume } from "./generate/userVolumes";

/** What a machine is: part of the Kubernetes control plane and etcd, or a place for workloads only. */
export type MachineType = "controlplane" | "worker";

/** All that a machine configuration is made from. */
export interface MachineConfigInput {
  /** The cluster's name in kubeconfigs and talosconfigs. */
  readonly clusterName: string;
  /** URL of the Kubernetes API as every machine and client reaches it: `https://api.example.com:6443`. */
  readonly endpoint: string;
  /** What the machines are. */
  readonly machineType: MachineType;
  /** The cluster's keys, certificate authorities and tokens. */
  readonly secretsBundle: SecretsBundle;
  /**
   * Authorities that machines accept besides those of `secretsBundle`, while one is rotated. Default:
   * none.
   */
  readonly acceptedAuthorities?: AcceptedAuthorities | undefined;
  /** The dialect the configuration is written in, `v1.12`: that of the cluster's secrets. */
  readonly versionContract: string;
  /**
   * The Talos release the machines run, `v1.12.1`: says which Kubernetes versions they take.
   * Default: that of the version contract.
   */
  readonly talosVersion?: string | undefined;
  /**
   * The release of Kubernetes, `1.35.0`; a leading `v` is fine. No default: it must not move with a
   * release of this package.
   */
  readonly kubernetesVersion: string;
  /** The disk Talos is installed to, `/dev/xvda`. */
  readonly installDisk: string;
  /** See `installerImage`. */
  readonly installerImage: string;
  /** More names and addresses for the certificate of the Talos API. Default: none. */
  readonly certSans?: readonly string[] | undefined;
  /** More names and addresses for the certificate of the Kubernetes API. Default: `certSans`. */
  readonly apiServerCertSans?: readonly string[] | undefined;
  /** Default: `cluster.local`. */
  readonly dnsDomain?: string | undefined;
  /** One network, or one of each IP version. Default: `10.244.0.0/16`. */
  readonly podCidrs?: readonly string[] | undefined;
  /** One network, or one of each IP version. Default: `10.96.0.0/12`. */
  readonly serviceCidrs?: readonly string[] | undefined;
  /** What gives pods their network. On every machine. Default: flannel. */
  readonly cni?: Cni | undefined;
  /**
   * Whether machines find each other through the discovery service at https://discovery.talos.dev,
   * which sees nothing of the cluster but encrypted data. Default: true.
   */
  readonly discovery?: boolean | undefined;
  /** Whether the machines' traffic goes through WireGuard. Needs `discovery`. Default: false. */
  readonly kubeSpan?: boolean | undefined;
  /**
   * Where to pull the images of a registry (`docker.io`, `*` for all others) from instead, URLs with
   * scheme, in the order they are tried; the registry itself comes last. Default: none.
   */
  readonly registryMirrors?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * Labels of the Kubernetes node. On workers, none of Kubernetes' own but those a kubelet may set.
   * Default: none but that which keeps load balancers off control plane machines.
   */
  readonly nodeLabels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of the Kubernetes node. Default: none. */
  readonly nodeAnnotations?: Readonly<Record<string, string>> | undefined;
  /**
   * Taints of the Kubernetes node, `<value>:<effect>` or `<effect>` by key. A worker gets them when
   * it registers, and no change of them later, of which previews warn: use `kubectl taint node` for
   * nodes that are there. Default: none but that of control plane machines.
   */
  readonly nodeTaints?: Readonly<Record<string, string>> | undefined;
  /** Whether workloads run on control plane machines too. Default: false. */
  readonly allowSchedulingOnControlPlanes?: boolean | undefined;
  /**
   * The name of one machine: not for a configuration that several get. Default: made from the
   * machine's identity.
   */
  readonly hostname?: string | undefined;
  /** Addresses of DNS servers. Default: those DHCP names. */
  readonly nameservers?: readonly string[] | undefined;
  /** Domains that names without dots are looked up in. Default: those DHCP names. */
  readonly searchDomains?: readonly string[] | undefined;
  /** Network interfaces. Default: all by DHCP. */
  readonly networkInterfaces?: readonly NetworkInterface[] | undefined;
  /** Kernel settings, `vm.max_map_count`, as text. Default: Talos' own. */
  readonly sysctls?: Readonly<Record<string, string>> | undefined;
  /** Modules that the kernel loads at boot. Default: none but Talos' own. */
  readonly kernelModules?: readonly KernelModule[] | undefined;
  /**
   * More flags for kubelet, without dashes before: `max-pods`. A list is for a flag that is given
   * several times, and for Talos v1.13 or newer. Default: none.
   */
  readonly kubeletExtraArgs?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /**
   * Whether a node is called by its full name, domain and all, which is what AWS' cloud controller
   * knows it by. A change gives the machine another Kubernetes node and leaves the old one behind.
   * Default: false.
   */
  readonly registerWithFqdn?: boolean | undefined;
  /**
   * Whether Talos installs kube-proxy; not where a pod network does its work. Taken back in a cluster
   * that runs it stays until it is deleted. Default: true.
   */
  readonly kubeProxy?: boolean | undefined;
  /**
   * URLs of Kubernetes manifests that are applied when the cluster starts. For control plane
   * machines; a worker's configuration leaves them out. Default: none.
   */
  readonly extraManifests?: readonly string[] | undefined;
  /**
   * Kubernetes manifests that are applied when the cluster starts. For control plane machines; a
   * worker's configuration leaves them out. Default: none.
   */
  readonly inlineManifests?: readonly InlineManifest[] | undefined;
  /**
   * That nodes wait for a cloud controller manager. On every machine; its manifests on control plane
   * machines. Default: there is none.
   */
  readonly externalCloudProvider?: ExternalCloudProvider | undefined;
  /**
   * Encryption of Talos' own volumes. Counts when a machine's disk is set up: a change later needs
   * another machine. Default: in clear (on AWS, EBS encrypts below).
   */
  readonly diskEncryption?: DiskEncryption | undefined;
  /** Volumes for workloads. Default: none. */
  readonly userVolumes?: readonly UserVolume[] | undefined;
  /** What of itself Talos switches on, off or over. Default: as Talos does. */
  readonly features?: MachineFeatures | undefined;
  /**
   * Whether a machine keeps its configuration. No supported Talos runs with false; it is what
   * `talosctl gen config --persist=false` writes. Default: true.
   */
  readonly persist?: boolean | undefined;
}
