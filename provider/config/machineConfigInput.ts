import type { AcceptedAuthoritiesOptions } from "./generate/acceptedAuthorities";
import type { ClusterDiscoveryOptions } from "./generate/clusterDiscovery";
import type { ClusterNetworkOptions } from "./generate/clusterNetwork";
import type { DiskEncryptionOptions } from "./generate/diskEncryption";
import type { ExternalCloudProviderOptions } from "./generate/externalCloudProvider";
import type { HostnameOptions } from "./generate/hostname";
import type { KernelOptions } from "./generate/kernel";
import type { KubeletOptions } from "./generate/kubelet";
import type { MachineFeaturesOptions } from "./generate/machineFeatures";
import type { ManifestsOptions } from "./generate/manifests";
import type { NetworkInterfacesOptions } from "./generate/networkInterfaces";
import type { NodeMetadataOptions, SchedulingOptions } from "./generate/nodeMetadata";
import type { RegistryMirrorsOptions } from "./generate/registryMirrors";
import type { ResolversOptions } from "./generate/resolvers";
import type { SecretsEncryptionOptions } from "./generate/secretsEncryption";
import type { VolumeMountOptions } from "./generate/systemDocuments";
import type { TimeServersOptions } from "./generate/timeServers";
import type { UserVolumesOptions } from "./generate/userVolumes";
import type { MachineBasics } from "./machineBasics";

/** Everything that a machine configuration is generated from. */
export interface MachineConfigInput
  extends
    MachineBasics,
    AcceptedAuthoritiesOptions,
    SecretsEncryptionOptions,
    ClusterNetworkOptions,
    ClusterDiscoveryOptions,
    RegistryMirrorsOptions,
    NodeMetadataOptions,
    SchedulingOptions,
    HostnameOptions,
    ResolversOptions,
    TimeServersOptions,
    NetworkInterfacesOptions,
    KernelOptions,
    KubeletOptions,
    ManifestsOptions,
    ExternalCloudProviderOptions,
    DiskEncryptionOptions,
    UserVolumesOptions,
    VolumeMountOptions,
    MachineFeaturesOptions {
  /** The cluster's name in kubeconfigs and talosconfigs. */
  readonly clusterName: string;
  /** URL of the Kubernetes API for all machines and clients: `https://api.example.com:6443`. */
  readonly endpoint: string;
  /**
   * The Kubernetes release, `1.37.2`; a leading `v` is allowed. There is no default, because it
   * must not change with a release of this package.
   */
  readonly kubernetesVersion: string;
  /** The disk for Talos, `/dev/xvda`. */
  readonly installDisk: string;
  /** See `installerImage`. */
  readonly installerImage: string;
  /**
   * Additional names and addresses for the certificate of the Talos API, for example
   * `talos.example.com`. Default: none.
   */
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
  /**
   * Whether a machine stores its configuration. No supported Talos runs with false, which `talosctl
   * gen config --persist=false` writes. Default: true.
   */
  readonly persist?: boolean | undefined;
}
