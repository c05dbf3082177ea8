import type * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../provider";
import { readPatchArgument } from "../../provider/readPatchFiles";
import type { PlannedMachine } from "../controlPlane/controlPlaneArgs";
import type { ClusterControlPlaneArgs } from "./arguments/clusterControlPlaneArgs";

/**
 * The only other EBS volume there is when a machine starts for the first time. Instance stores, whose
 * data is gone when a machine stops, have another model. Source: Amazon EC2 user guide, "Map NVMe
 * disks on your instance to volumes".
 */
const ETCD_DISK = `!system_disk && disk.model == "Amazon Elastic Block Store"`;

/**
 * What a control plane machine's configuration says besides that of its role: its fixed address in
 * the Talos API's certificate, which else has those it knew when it started; where EPHEMERAL lies; and
 * what is given for it alone. Undefined: nothing.
 */
export function machinePatches(
  { etcdVolume, machines = {} }: ClusterControlPlaneArgs,
  { key, fixedAddress }: PlannedMachine,
): pulumi.Input<pulumi.Input<Patch>[]> | undefined {
  const own = machines[key]?.patches;
  const made: pulumi.Input<Patch>[] = [
    ...(fixedAddress === undefined
      ? []
      : [fixedAddress.apply((address) => ({ machine: { certSANs: [address] } }))]),
    ...(etcdVolume === undefined ? [] : [ephemeralOnEtcdVolume]),
  ];
  if (made.length === 0) {
    return own;
  }
  return own === undefined ? made : readPatchArgument(own).apply((given) => [...made, ...given]);
}

const ephemeralOnEtcdVolume: Patch = {
  apiVersion: "v1alpha1",
  kind: "VolumeConfig",
  name: "EPHEMERAL",
  provisioning: { diskSelector: { match: ETCD_DISK }, grow: true },
};
