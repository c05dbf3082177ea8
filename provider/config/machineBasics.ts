import type { SecretsBundle } from "../pki/secretsBundle";
import type { ChosenDefaults } from "./releases/versionContract";

/** The kind of a machine: part of the Kubernetes control plane and etcd, or only for workloads. */
export type MachineType = "controlplane" | "worker";

/** What every part of a machine configuration may depend on. */
export interface MachineBasics extends ChosenDefaults {
  /** The kind of the machines. */
  readonly machineType: MachineType;
  /** The cluster's keys, certificate authorities and tokens. */
  readonly secretsBundle: SecretsBundle;
  /** The dialect of the configuration, `v1.14`: that of the cluster's secrets. */
  readonly versionContract: string;
  /**
   * The Talos release of the machines, `v1.14.1`. It decides which Kubernetes versions are valid.
   * Default: that of the version contract.
   */
  readonly talosVersion?: string | undefined;
}
