import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { clusterTag } from "../clusterTag";
import type { PropertyProblem } from "../problems";
import { type EtcdVolumeArgs } from "./etcdVolume";
import { noteKept } from "./keptSettings";
import { machineOptions } from "./machineOptions";
import { type CapacityReservationArgs, reservationOf } from "./placement";
import { guarded } from "./protectedMachines";
import {
  type DataVolumeArgs,
  ETCD_DEVICE,
  planDataVolumes,
  type VolumeSpeedArgs,
  volumeSpeed,
  wholeVolumeSpeed,
} from "./volumes";

/** Space for etcd (8 GiB at most), images and logs. */
export const DEFAULT_ROOT_VOLUME_GIB = 50;
/** The size of the volume in Talos' images. A root volume can't be smaller. */
const MIN_ROOT_VOLUME_GIB = 20;
/** EC2's limit. */
const MAX_HOP_LIMIT = 64;

/**
 * Answers of the metadata service reach the machine itself and pods in its network. One hop more, and
 * every pod has the machine's role and its user data.
 */
export const DEFAULT_METADATA_HOP_LIMIT = 1;

/** Arguments of `makeMachine`. */
export interface MachineArgs {
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
   * How many network hops an answer of the metadata service travels. With 2, all pods receive it;
   * with 1, only the machine and pods in its network. Default: 1.
   */
  readonly metadataHopLimit?: number;
  /** Size of the root volume in GiB, 20 or more; encrypted. Default: 50. */
  readonly rootVolumeSizeGib?: number;
  /** Type and speed of the root volume. AWS changes them in place. Default: gp3's own. */
  readonly rootVolume?: VolumeSpeedArgs;
  /**
   * Stores what the machine writes on a separate volume. A later change does not affect the
   * machine. Default: the root volume.
   */
  readonly etcdVolume?: EtcdVolumeArgs;
  /** Volumes for workloads, by name. A later change does not affect the machine. Default: none. */
  readonly dataVolumes?: Readonly<Record<string, DataVolumeArgs>>;
  /**
   * ARN of the KMS key that encrypts its volumes. The credentials of `pulumi up` must be allowed to
   * use it. AWS can't change the key of a volume: a change affects only a recreated machine. About
   * $1 a month (list price, November 2026). Default: the account's default key for EBS.
   */
  readonly kmsKeyId?: pulumi.Input<string>;
  /**
   * CloudWatch records values every minute instead of every five, about $2.10 a month (seven
   * metrics; list price in us-east-1, November 2026). Default: false.
   */
  readonly detailedMonitoring?: pulumi.Input<boolean>;
  /**
   * EC2 refuses to terminate the machine until this is false again, and Pulumi to delete or replace
   * it if the value is a plain one. A change that ends it needs an `up` before that turns this off. Default: false.
   */
  readonly terminationProtection?: pulumi.Input<boolean>;
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
  const { userDataBase64, etcdVolume, kmsKeyId, terminationProtection } = args;
  const key = kmsKeyId === undefined ? {} : { kmsKeyId };
  const publicAddress = args.publicAddress ?? true;
  const { capacityReservation, replacement } = args;
  const trigger = publicAddress ? "public address" : "no public address";
  const ofMachine = { encrypted: true, ...key, deleteOnTermination: true, tags };
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
      ...machineOptions(args.metadataHopLimit ?? DEFAULT_METADATA_HOP_LIMIT),
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

/** All problems of the size of a machine's root volume. */
export function checkRootVolume(sizeGib: number | undefined): PropertyProblem[] {
  if (sizeGib === undefined || (Number.isInteger(sizeGib) && sizeGib >= MIN_ROOT_VOLUME_GIB)) {
    return [];
  }
  const reason = `a root volume can't have ${sizeGib} GiB: Talos' images need a whole number of at least ${MIN_ROOT_VOLUME_GIB}`;
  return [{ property: "rootVolumeSizeGib", reason }];
}

/** All problems of the key of a machine's volumes, as far as it is known. */
export function checkVolumeKey(kmsKeyId: pulumi.Input<string> | undefined): PropertyProblem[] {
  const isFine = /^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/;
  if (typeof kmsKeyId !== "string" || isFine.test(kmsKeyId)) {
    return [];
  }
  const reason = `"${kmsKeyId}" is no ARN of a key: write it as in "arn:aws:kms:us-east-1:123456789012:key/0123abcd"`;
  return [{ property: "kmsKeyId", reason }];
}

/** All problems of how far answers of the metadata service travel. */
export function checkMetadataHopLimit(limit: number | undefined): PropertyProblem[] {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= MAX_HOP_LIMIT)) {
    return [];
  }
  const reason = `it can't be ${limit}: give 1 for the machine alone, 2 for pods, at most ${MAX_HOP_LIMIT}`;
  return [{ property: "metadataHopLimit", reason }];
}
