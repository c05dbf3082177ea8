import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { clusterTag } from "../clusterTag";
import type { EtcdVolumeArgs } from "./etcdVolume";
import { noteKept } from "./keptSettings";
import { machineOptions } from "./machineOptions";
import { DEFAULT_ROOT_VOLUME_GIB, type NamedMachineSettings } from "./machineSettings";
import { type CapacityReservationArgs, reservationOf } from "./placement";
import { guarded } from "./protectedMachines";
import {
  type DataVolumeArgs,
  ETCD_DEVICE,
  planDataVolumes,
  volumeSpeed,
  wholeVolumeSpeed,
} from "./volumes";

/** Arguments of `makeMachine`. */
export interface MachineArgs extends NamedMachineSettings {
  /**
   * Name of the cluster. It is part of the tag by which controllers in the cluster find its
   * machines.
   */
  readonly clusterName: pulumi.Input<string>;
  /** The image to boot. A change does not affect the machine, because Talos upgrades in place. */
  readonly imageId: pulumi.Input<string>;
  /**
   * The instance type. A change stops the machine and starts it again, with another public address.
   */
  readonly instanceType: pulumi.Input<string>;
  readonly subnetId: pulumi.Input<string>;
  readonly securityGroupIds: pulumi.Input<pulumi.Input<string>[]>;
  /** The instance profile. Default: none, so nothing on the machine can call AWS. */
  readonly instanceProfileName?: pulumi.Input<string>;
  /**
   * Whether the machine gets a public address, about $3.65 a month. A change replaces the machine.
   * A stop, during which AWS reports no address, does not. Default: true.
   */
  readonly publicAddress?: boolean;
  /**
   * User data for the first boot, from `encodeUserData`. Every principal with
   * `ec2:DescribeInstanceAttribute`, and every pod that reaches the metadata service, can read it.
   * A change does not affect the machine, because Talos reads it once. Default: none; the machine
   * waits for its configuration.
   */
  readonly userDataBase64?: pulumi.Input<string>;
  /**
   * Stores what the machine writes on a separate volume. A later change does not affect the
   * machine. Default: the root volume.
   */
  readonly etcdVolume?: EtcdVolumeArgs;
  /** Volumes for workloads, by name. A later change does not affect the machine. Default: none. */
  readonly dataVolumes?: Readonly<Record<string, DataVolumeArgs>>;
  /**
   * Whether the machine stays in its subnet when `subnetId` changes. Otherwise it is replaced.
   * Default: false.
   */
  readonly staysInSubnet?: boolean;
  /** Name of the placement group. A change replaces the machine. Default: none. */
  readonly placementGroupName?: pulumi.Input<string>;
  /** A later change does not affect the machine. Default: EC2's. */
  readonly capacityReservation?: CapacityReservationArgs;
  /** A change replaces the machine. Default: none. */
  readonly replacement?: string;
  /** Additional tags for the machine and its volume. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * Creates one hardened machine: IMDSv2 only, an encrypted volume, no key and no shell. Its name in
 * the stack is also its `Name` in EC2.
 */
export function makeMachine(
  name: string,
  args: MachineArgs,
  opts: pulumi.CustomResourceOptions,
): aws.ec2.Instance {
  const tags = machineTags(name, args);
  const { publicAddress = true, userDataBase64, kmsKeyId, terminationProtection } = args;
  const { etcdVolume, capacityReservation, replacement } = args;
  const trigger = publicAddress ? "public address" : "no public address";
  const ofMachine = {
    encrypted: true,
    ...(kmsKeyId !== undefined && { kmsKeyId }),
    deleteOnTermination: true,
    tags,
  };
  const volumes = [
    ...(etcdVolume === undefined
      ? []
      : [
          {
            deviceName: ETCD_DEVICE,
            ...wholeVolumeSpeed(etcdVolume),
            volumeSize: etcdVolume.sizeGib,
            ...ofMachine,
          },
        ]),
    ...planDataVolumes(args.dataVolumes).map(({ deviceName, volume }) => ({
      deviceName,
      ...volumeSpeed(volume),
      volumeSize: volume.sizeGib,
      ...ofMachine,
    })),
  ];
  const instance = new aws.ec2.Instance(
    name,
    {
      ami: args.imageId,
      instanceType: args.instanceType,
      subnetId: args.subnetId,
      vpcSecurityGroupIds: args.securityGroupIds,
      // Of what is left out, the AWS provider keeps what was set before. So these say what is not
      // there, too.
      iamInstanceProfile: args.instanceProfileName ?? "",
      monitoring: args.detailedMonitoring ?? false,
      placementGroup: args.placementGroupName ?? "",
      associatePublicIpAddress: publicAddress,
      ...(userDataBase64 !== undefined && { userDataBase64: pulumi.secret(userDataBase64) }),
      ebsOptimized: true,
      ...(capacityReservation !== undefined && {
        capacityReservationSpecification: reservationOf(capacityReservation),
      }),
      disableApiTermination: terminationProtection ?? false,
      ...machineOptions(args),
      rootBlockDevice: {
        ...wholeVolumeSpeed(args.rootVolume ?? {}),
        volumeSize: args.rootVolumeSizeGib ?? DEFAULT_ROOT_VOLUME_GIB,
        ...ofMachine,
      },
      ...(volumes.length > 0 && { ebsBlockDevices: volumes }),
      tags,
    },
    {
      ...guarded(name, { clusterName: args.clusterName, terminationProtection }, opts),
      // A change of the program replaces a machine; a change that a refresh found does not: see
      // below.
      replacementTrigger: replacement === undefined ? trigger : `${trigger}; ${replacement}`,
      // A change of these would restart a running machine or replace it with an empty one. Talos
      // upgrades in place and takes configurations over its API. A zone more or less must not move
      // etcd members.
      ignoreChanges: [
        "ami",
        // The AWS provider reads it as "has a public address now". A stopped machine has none, so a
        // refresh would replace it (terraform-provider-aws issue 33775).
        "associatePublicIpAddress",
        ...(kmsKeyId === undefined ? [] : ["rootBlockDevice.kmsKeyId"]),
        ...(args.staysInSubnet === true ? ["subnetId"] : []),
        ...(userDataBase64 === undefined ? [] : ["userDataBase64"]),
        // EC2 changes it only while the machine is stopped.
        ...(capacityReservation === undefined ? [] : ["capacityReservationSpecification"]),
        // A change would replace the machine. It would also include volumes that a storage driver
        // attaches later.
        "ebsBlockDevices",
      ],
    },
  );
  const devices = volumes.map(({ deviceName }) => deviceName);
  noteKept(name, instance, { capacityReservation, devices });
  return instance;
}

/** The tags of a machine and its volumes. */
export function machineTags(
  name: string,
  { clusterName, tags = {} }: Pick<MachineArgs, "clusterName" | "tags">,
): pulumi.Output<Record<string, string>> {
  return pulumi
    .all([clusterName, tags])
    .apply(([cluster, more]) => ({ Name: name, [clusterTag(cluster)]: "owned", ...more }));
}
