import type { SecretsBundle } from "../pki/secretsBundle";

/** What a machine is: part of the Kubernetes control plane and etcd, or a place for workloads only. */
export type MachineType = "controlplane" | "worker";

/** All that a machine configuration is made from. */
export interface MachineConfigInput {
  readonly clusterName: string;
  /** URL of the Kubernetes API as every machine and client reaches it: `https://api.example.com:6443`. */
  readonly endpoint: string;
  readonly machineType: MachineType;
  readonly secretsBundle: SecretsBundle;
  /** `v1.12`. */
  readonly versionContract: string;
  /**
   * The Talos release the machines run, `v1.12.1`: says which Kubernetes versions they take.
   * Default: that of the version contract.
   */
  readonly talosVersion?: string | undefined;
  /** `1.35.0`; a leading `v` is fine. */
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
}
