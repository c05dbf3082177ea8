import type * as pulumi from "@pulumi/pulumi";
import { checkWord } from "../argumentChecks";
import type { PropertyProblem } from "../problems";
import { isBurstable } from "./instanceType";
import { checkRootSpeed, type VolumeSpeedArgs } from "./volumes";

/** Two virtual processors and 8 GiB of memory. */
export const DEFAULT_INSTANCE_TYPE = "m6i.large";
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

/** How a burstable machine gets processor time above the baseline of its type. */
export type CpuCredits = "standard" | "unlimited";

/** Settings of all machines: of control planes and of both kinds of pools. */
export interface MachineSettings {
  /**
   * How many network hops an answer of the metadata service travels, 1 to 64. With 1, only the machine
   * and pods in its network receive it. With 2, all pods do: they can use the machine's role and read
   * its user data. A worker's contains the join token, and a control plane's the cluster's keys, if its
   * delivery is `userData`. So a `TalosCluster` refuses more than 1 for a control plane with that
   * delivery, or with a role that may do more than describe machines. Default: 1.
   */
  readonly metadataHopLimit?: number;
  /**
   * Size of the root volume in GiB, 20 or more; encrypted. Default: 50, about $4 a month each (gp3, list
   * price in us-east-1, November 2026).
   */
  readonly rootVolumeSizeGib?: number;
  /**
   * Type and speed of the root volumes. AWS changes them in place; another choice replaces the machines
   * of an auto scaling pool. Default: gp3's own.
   */
  readonly rootVolume?: VolumeSpeedArgs;
  /**
   * ARN of the KMS key that encrypts the volumes of the machines. The credentials of `pulumi up` must be
   * allowed to use it. AWS can't change the key of a volume, so machines keep the key from their
   * creation, and a `TalosCluster` refuses another one in the preview. In an auto scaling pool, another
   * key replaces the machines. There, the key's policy must let the role `AWSServiceRoleForAutoScaling`
   * use it and create grants. Otherwise machines end right after their launch. A key costs about $1 a
   * month (list price, November 2026). Default: the account's default key for EBS.
   */
  readonly kmsKeyId?: pulumi.Input<string>;
  /**
   * CloudWatch records values every minute instead of every five, about $2.10 a month per machine (seven
   * metrics; list price in us-east-1, November 2026). Default: false.
   */
  readonly detailedMonitoring?: pulumi.Input<boolean>;
  /**
   * How burstable machines (T3, T3a, T4g) get processor time above the baseline of their type.
   * - `standard`: only from credits that they earned, at no cost. Without credits they slow down to the
   *   baseline. A control plane that is too slow loses its leader of etcd again and again.
   * - `unlimited`: always. AWS charges $0.05 for each processor and hour (T4g $0.04; November 2026).
   *
   * AWS changes it in place; another choice replaces the machines of an auto scaling pool. Refused for
   * machines that may be of another type. A machine that isn't replaced keeps it when it is left out
   * again: set the other value. Default: that of the account, `unlimited` unless somebody changed it.
   */
  readonly cpuCredits?: CpuCredits;
}

/** Settings of machines that no auto scaling group makes. */
export interface NamedMachineSettings extends MachineSettings {
  /**
   * EC2 refuses to terminate the machines until this is false again, and Pulumi to delete or replace
   * them if the value is a plain one. A change that ends a machine needs an `up` before that turns
   * this off. Default: false.
   */
  readonly terminationProtection?: pulumi.Input<boolean>;
}

/**
 * All problems of the settings of machines, as far as they are known.
 *
 * @param settings with the instance type, if one is chosen
 */
export function checkMachineSettings(
  settings: MachineSettings & { readonly instanceType?: pulumi.Input<string> },
): PropertyProblem[] {
  const { metadataHopLimit, rootVolumeSizeGib, rootVolume, kmsKeyId } = settings;
  const { cpuCredits, instanceType = DEFAULT_INSTANCE_TYPE } = settings;
  return [
    ...checkMetadataHopLimit(metadataHopLimit),
    ...checkRootVolume(rootVolumeSizeGib),
    ...checkRootSpeed(rootVolume, rootVolumeSizeGib ?? DEFAULT_ROOT_VOLUME_GIB),
    ...checkVolumeKey(kmsKeyId),
    ...checkWord("cpuCredits", cpuCredits, ["standard", "unlimited"]),
    ...checkCpuCredits(cpuCredits, typeof instanceType === "string" ? [instanceType] : []),
  ];
}

/**
 * All problems of CPU credits for machines of some types. By a launch template with credits EC2 launches
 * no others, and the AWS provider tells no other machine of them. Sources: terraform-provider-aws issues
 * 5067 and 8055.
 */
export function checkCpuCredits(
  cpuCredits: CpuCredits | undefined,
  instanceTypes: readonly string[],
): PropertyProblem[] {
  const other = instanceTypes.find((type) => !isBurstable(type));
  const reason = `"${other ?? ""}" earns no CPU credits: leave this out, or take burstable types such as "t3.large" only`;
  return cpuCredits === undefined || other === undefined
    ? []
    : [{ property: "cpuCredits", reason }];
}

function checkMetadataHopLimit(limit: number | undefined): PropertyProblem[] {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= MAX_HOP_LIMIT)) {
    return [];
  }
  const reason = `it can't be ${limit}: give 1 for the machine alone, 2 for pods, at most ${MAX_HOP_LIMIT}`;
  return [{ property: "metadataHopLimit", reason }];
}

function checkRootVolume(sizeGib: number | undefined): PropertyProblem[] {
  if (sizeGib === undefined || (Number.isInteger(sizeGib) && sizeGib >= MIN_ROOT_VOLUME_GIB)) {
    return [];
  }
  const reason = `a root volume can't have ${sizeGib} GiB: Talos' images need a whole number of at least ${MIN_ROOT_VOLUME_GIB}`;
  return [{ property: "rootVolumeSizeGib", reason }];
}

function checkVolumeKey(kmsKeyId: pulumi.Input<string> | undefined): PropertyProblem[] {
  const isFine = /^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/;
  if (typeof kmsKeyId !== "string" || isFine.test(kmsKeyId)) {
    return [];
  }
  const reason = `"${kmsKeyId}" is no ARN of a key: write it as in "arn:aws:kms:us-east-1:123456789012:key/0123abcd"`;
  return [{ property: "kmsKeyId", reason }];
}
