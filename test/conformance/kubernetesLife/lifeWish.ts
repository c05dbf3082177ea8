import type { EtcdSnapshotFile, Patch, Rotation } from "../../../provider";

/** What a cluster's program asks for: what a person would write into it. */
export interface LifeWish {
  /** Names of its control plane machines, in the order in which they change. */
  readonly controlPlanes: readonly string[];
  /** Names of its workers, in that order. */
  readonly workers: readonly string[];
  /** As a tag, such as `v1.34.3`. */
  readonly kubernetesVersion: string;
  /** Patches of every machine of a role, beside those of the lab. Default: none. */
  readonly patches?: {
    readonly controlplane?: readonly Patch[];
    readonly worker?: readonly Patch[];
  };
  /** Default: no rotation, ever. */
  readonly rotation?: Rotation | undefined;
  /** Seconds that a machine's change may take. Default: 600. */
  readonly applyTimeoutSeconds?: number | undefined;
  /** Seconds that a rollout of manifests may take. Default: 900. */
  readonly manifestsTimeoutSeconds?: number | undefined;
  /** Hours before its end at which the administrator's kubeconfig is renewed. Default: a third of its lifetime. */
  readonly kubeconfigRenewalHours?: number | undefined;
  /** What a new etcd starts from. Default: nothing. */
  readonly recoverFrom?: EtcdSnapshotFile | undefined;
}

/** Machines that a wish can name, by the last number of their address. */
export const OCTETS: Readonly<Record<string, number>> = {
  cp1: 2,
  cp2: 3,
  cp3: 4,
  w1: 5,
  w2: 6,
};

/** The address of a machine in the lab. */
export function addressOf(name: string): string {
  const { [name]: octet } = OCTETS;
  if (octet === undefined) {
    throw new Error(
      `there is no machine "${name}" in the lab: there are ${Object.keys(OCTETS).join(", ")}`,
    );
  }
  return `10.7.0.${octet}`;
}

/** The names of all machines of a wish, in the order in which they change. */
export function machinesOf({ controlPlanes, workers }: LifeWish): string[] {
  return [...controlPlanes, ...workers];
}
