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

/** The kind of a machine: part of the Kubernetes control plane and etcd, or only for workloads. */
export type MachineType = "controlplane" | "worker";

/** Everything that a machine configuration is generated from. */
export interface MachineConfigInput {
  /** The cluster's name in kubeconfigs and talosconfigs. */
  readonly clusterName: string;
  /** URL of the Kubernetes API for all machines and clients: `https://api.example.com:6443`. */
  readonly endpoint: string;
  /** The kind of the machines. */
  readonly machineType: MachineType;
  /** The cluster's keys, certificate authorities and tokens. */
  readonly secretsBundle: SecretsBundle;
  /** Additional CAs that machines accept, during a rotation. Default: none. */
  readonly acceptedAuthorities?: AcceptedAuthorities | undefined;
  /** The dialect of the configuration, `v1.12`: that of the cluster's secrets. */
  readonly versionContract: string;
  /**
   * The Talos release of the machines, `v1.12.1`. It decides which Kubernetes versions are valid.
   * Default: that of the version contract.
   */
  readonly talosVersion?: string | undefined;
  /**
   * The Kubernetes release, `1.35.0`; a leading `v` is allowed. There is no default, because it
   * must not change with a release of this package.
   */
  readonly kubernetesVersion: string;
  /** The disk for Talos, `/dev/xvda`. */
  readonly installDisk: string;
  /** See `installerImage`. */
  readonly installerImage: string;
  /** Additional names and addresses for the certificate of the Talos API. Default: none. */
  readonly certSans?: readonly string[] | undefined;
  /**
   * Additional names and addresses for the certificate of the Kubernetes API. Default: `certSans`.
   */
  readonly apiServerCertSans?: readonly string[] | undefined;
  /** The cluster's DNS domain. Default: `cluster.local`. */
  readonly dnsDomain?: string | undefined;
  /** Ranges of pods: one, or one of each IP version. Default: `10.244.0.0/16`. */
  readonly podCidrs?: readonly string[] | undefined;
  /** Ranges of services: one, or one of each IP version. Default: `10.96.0.0/12`. */
  readonly serviceCidrs?: readonly string[] | undefined;
  /** The pod network, the same on every machine. Default: flannel. */
  readonly cni?: Cni | undefined;
  /**
   * Whether machines find each other through the discovery service at https://discovery.talos.dev.
   * It receives only encrypted data. Default: true.
   */
  readonly discovery?: boolean | undefined;
  /**
   * URL of a discovery service of yours, without a path, instead of https://discovery.talos.dev.
   * Default: Sidero Labs' own.
   */
  readonly discoveryEndpoint?: string | undefined;
  /** Whether WireGuard encrypts the machines' traffic. Needs `discovery`. Default: false. */
  readonly kubeSpan?: boolean | undefined;
  /**
   * Mirrors of a registry (`docker.io`, `*` for all others): URLs with scheme, in the order to try.
   * The registry itself comes last. Default: none.
   */
  readonly registryMirrors?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * Labels of the Kubernetes node. On workers, of Kubernetes' own labels only those that a kubelet
   * may set. Default: only the label that keeps load balancers off control plane machines.
   */
  readonly nodeLabels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of the Kubernetes node. Default: none. */
  readonly nodeAnnotations?: Readonly<Record<string, string>> | undefined;
  /**
   * Taints of the Kubernetes node by key, `<value>:<effect>` or `<effect>`. A worker gets them when
   * it registers. A later change does not reach it, which previews warn about: use `kubectl taint
   * node`. Default: only that of control plane machines.
   */
  readonly nodeTaints?: Readonly<Record<string, string>> | undefined;
  /** Whether workloads also run on control plane machines. Default: false. */
  readonly allowSchedulingOnControlPlanes?: boolean | undefined;
  /**
   * The host name, for the configuration of a single machine. Default: derived from the machine's
   * identity.
   */
  readonly hostname?: string | undefined;
  /** Addresses of DNS servers. Default: from DHCP. */
  readonly nameservers?: readonly string[] | undefined;
  /** Search domains for names without dots. Default: from DHCP. */
  readonly searchDomains?: readonly string[] | undefined;
  /**
   * Time servers, names or addresses, such as `169.254.169.123` on AWS. A machine waits for the time
   * before it starts etcd or the kubelet. Default: on AWS, since Talos v1.12, `169.254.169.123`; else
   * time.cloudflare.com.
   */
  readonly timeServers?: readonly string[] | undefined;
  /** Network interfaces. Default: all, with DHCP. */
  readonly networkInterfaces?: readonly NetworkInterface[] | undefined;
  /** Kernel parameters such as `vm.max_map_count`, as text. Default: Talos' own. */
  readonly sysctls?: Readonly<Record<string, string>> | undefined;
  /** Kernel modules to load at boot. Default: only Talos' own. */
  readonly kernelModules?: readonly KernelModule[] | undefined;
  /**
   * Additional kubelet flags without leading dashes, such as `max-pods`. A list repeats a flag; it
   * needs Talos v1.13 or newer. Default: none.
   */
  readonly kubeletExtraArgs?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /**
   * Whether a node's name is its fully qualified domain name, which the AWS cloud controller needs.
   * A change gives the machine a new Kubernetes node and leaves the old one behind. Default: false.
   */
  readonly registerWithFqdn?: boolean | undefined;
  /**
   * Whether Talos installs kube-proxy. Set false if the pod network replaces it. Without
   * `KubernetesManifests`, kube-proxy then stays in a running cluster until it is deleted. Default:
   * true.
   */
  readonly kubeProxy?: boolean | undefined;
  /**
   * URLs of Kubernetes manifests to apply when the cluster starts. Only for control plane machines;
   * a worker's configuration omits them. Default: none.
   */
  readonly extraManifests?: readonly string[] | undefined;
  /**
   * Kubernetes manifests to apply when the cluster starts. Only for control plane machines; a
   * worker's configuration omits them. Default: none.
   */
  readonly inlineManifests?: readonly InlineManifest[] | undefined;
  /**
   * Makes nodes wait for a cloud controller manager. Set it on every machine, and its manifests on
   * control plane machines. Default: none.
   */
  readonly externalCloudProvider?: ExternalCloudProvider | undefined;
  /**
   * Encryption of Talos' own volumes. It applies when a machine's disk is set up: a later change
   * needs another machine. Default: none (on AWS, EBS encrypts).
   */
  readonly diskEncryption?: DiskEncryption | undefined;
  /** Volumes for workloads. Default: none. */
  readonly userVolumes?: readonly UserVolume[] | undefined;
  /** Features of Talos to enable, disable or change. Default: Talos' defaults. */
  readonly features?: MachineFeatures | undefined;
  /**
   * Whether a machine stores its configuration. No supported Talos runs with false, which `talosctl
   * gen config --persist=false` writes. Default: true.
   */
  readonly persist?: boolean | undefined;
}
