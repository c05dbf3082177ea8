import * as pulumi from "@pulumi/pulumi";
import type { MachineConfigurationArgs, Patch } from "../../../provider";
import { madeOf } from "../../../provider/engine";
import { readPatchArgument } from "../../../provider/render";
import type { EtcdVolumeArgs } from "../../machines/etcdVolume";
import type {
  ClusterControlPlaneArgs,
  ClusterMachineArgs,
} from "../arguments/clusterControlPlaneArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/**
 * The only other EBS volume at a machine's first boot. Instance stores, which lose their data when
 * a machine stops, have another model. Source: Amazon EC2 user guide, "Map NVMe disks on your
 * instance to volumes".
 */
const ETCD_DISK = `!system_disk && disk.model == "Amazon Elastic Block Store"`;

interface PatchedMachine {
  readonly key: string;
  /** An address that it may not have known when it booted. */
  readonly laterAddress: pulumi.Output<string> | undefined;
}

/**
 * The patches of a single control plane machine: a later address, what is on etcd's volume, what a
 * rotation gives it, and its own patches. The Talos API's certificate otherwise contains only the
 * addresses at boot. Undefined without any.
 */
export function machinePatches(
  { etcdVolume, machines = {} }: ClusterControlPlaneArgs,
  { key, laterAddress }: PatchedMachine,
  rotationPatch?: pulumi.Output<Patch>,
): pulumi.Input<pulumi.Input<Patch>[]> | undefined {
  const own = machines[key]?.patches;
  const made: pulumi.Input<Patch>[] = [
    ...(laterAddress === undefined
      ? []
      : [
          laterAddress.apply((address) =>
            address === "" ? {} : { machine: { certSANs: [address] } },
          ),
        ]),
    ...(etcdVolume === undefined ? [] : [onEtcdVolume(etcdVolume)]),
    // What is secret in it is known by its place.
    ...(rotationPatch === undefined ? [] : [madeOf(rotationPatch)]),
  ];
  if (made.length === 0) {
    return own;
  }
  return own === undefined
    ? made
    : madeOf(
        readPatchArgument(own).apply((given) => [...made, ...given]),
        own,
      );
}

/** What Talos places on the volume. */
function onEtcdVolume({ holds }: EtcdVolumeArgs): Patch {
  return {
    apiVersion: "v1alpha1",
    kind: "VolumeConfig",
    name: holds === "etcd" ? "ETCD" : "EPHEMERAL",
    provisioning: { diskSelector: { match: ETCD_DISK }, grow: true },
  };
}

/**
 * The own patches of single machines, by their keys. Other patches of a machine follow from what the
 * configuration of all changes with, or from AWS.
 */
export function ownPatches(
  machines: Readonly<Record<string, ClusterMachineArgs>> = {},
): NonNullable<MachineConfigurationArgs["machinePatches"]> {
  return Object.fromEntries(
    Object.entries(machines).flatMap(([key, { patches }]) =>
      patches === undefined ? [] : [[key, patches] as const],
    ),
  );
}

/**
 * All patches of each worker whose patches could name it, by its argument: those of a pool, and of a
 * fixed pool's single machines.
 */
export function workerPatches({
  workers,
  workerPools = {},
}: Pick<TalosClusterArgs, "workers" | "workerPools">): NonNullable<
  MachineConfigurationArgs["otherPatches"]
> {
  const patches = Object.entries(workerPools).flatMap(([name, pool]) => {
    const ofPool = joinedPatches(workers?.patches, pool.patches);
    const own = Object.entries(ownPatches(pool.machines));
    const hasOthers = pool.machineCount === undefined || own.length < pool.machineCount;
    const ofMachines = own.map(
      ([key, more]) =>
        [`workerPools.${name}.machines["${key}"]`, joinedPatches(ofPool, more)] as const,
    );
    return [...(hasOthers ? [[`workerPools.${name}`, ofPool] as const] : []), ...ofMachines];
  });
  return Object.fromEntries(
    patches.flatMap(([name, given]) => (given === undefined ? [] : [[name, given] as const])),
  );
}

/** Two lists of patches in one. */
export function joinedPatches(
  first: pulumi.Input<pulumi.Input<Patch>[]> | undefined,
  second: pulumi.Input<pulumi.Input<Patch>[]> | undefined,
): pulumi.Input<pulumi.Input<Patch>[]> | undefined {
  if (first === undefined || second === undefined) {
    return first ?? second;
  }
  const joined = pulumi
    .all([
      pulumi.output(first as pulumi.Input<Patch[]>),
      pulumi.output(second as pulumi.Input<Patch[]>),
    ])
    .apply(([some, more]) => [...some, ...more]);
  return madeOf(joined, first, second);
}
