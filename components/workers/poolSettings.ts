import type * as pulumi from "@pulumi/pulumi";
import { wholeNumber, problemAt } from "../argumentChecks";
import { workerTypeProblem } from "../machines/instanceType";
import {
  checkMachineSettings,
  DEFAULT_INSTANCE_TYPE,
  type MachineSettings,
} from "../machines/machineSettings";
import type { CapacityReservationArgs, PlacementGroupArgs } from "../machines/placement";
import { checkDataVolumes, type DataVolumeArgs } from "../machines/volumes";
import type { PropertyProblem } from "../problems";

/** The security groups of a network interface. Source: Amazon VPC quotas, L-2AFB9258. */
const MAX_GROUPS = 5;

/** Settings of the machines of both kinds of pools. */
export interface PoolSettings extends MachineSettings {
  /**
   * EC2 instance type of a Nitro family, and of the image's architecture; a `TalosCluster` takes the
   * image for the type. Default: `m6i.large`, about $70 a month each (list price in us-east-1,
   * November 2026).
   */
  readonly instanceType?: string;
  /**
   * More security groups of the machines, 4 at most, such as one that a database lets in. Another
   * choice replaces the machines of an auto scaling pool. Default: none.
   */
  readonly moreSecurityGroupIds?: readonly pulumi.Input<string>[];
  /**
   * Target groups that each machine joins, such as those of a load balancer of yours, by names that
   * stay. The workers' security group must let its traffic in, as `firewall.extraRules` of a
   * `TalosCluster` does. Default: none.
   */
  readonly targets?: Readonly<Record<string, PoolTarget>>;
  /**
   * Volumes for workloads, by name, on each machine. Machines of a fixed pool keep those from their
   * creation; another choice replaces the machines of an auto scaling pool. Talos mounts them at
   * `/var/mnt/<name>`. For that, a `TalosCluster` adds them to the `userVolumes` of the configuration;
   * without one, `dataUserVolumes` plans these. Default: none.
   */
  readonly dataVolumes?: Readonly<Record<string, DataVolumeArgs>>;
  /**
   * The placement group of the machines, made for the pool. Machines of a fixed pool stay in the one
   * from their creation: another choice replaces them, so a `TalosCluster` refuses it in the preview.
   * Another choice also replaces the machines of an auto scaling pool. Default: none.
   */
  readonly placementGroup?: PlacementGroupArgs;
  /**
   * The capacity reservation of the machines. Machines of a fixed pool keep the one from their
   * creation; another choice replaces the machines of an auto scaling pool. Default: EC2's, any
   * fitting open reservation.
   */
  readonly capacityReservation?: CapacityReservationArgs;
}

/** A target group that the machines of a pool join. */
export interface PoolTarget {
  /** ARN of the target group. */
  readonly targetGroupArn: pulumi.Input<string>;
  /** The port of a fixed machine. Default: that of the target group, which groups always use. */
  readonly port?: number;
}

/** All problems of what the machines of a pool are made of. */
export function checkPoolSettings(settings: PoolSettings): PropertyProblem[] {
  const { instanceType = DEFAULT_INSTANCE_TYPE } = settings;
  const type = workerTypeProblem(instanceType);
  return [
    ...problemAt("instanceType", type),
    ...checkMachineSettings(settings),
    ...checkDataVolumes(settings.dataVolumes),
    ...checkGroups(settings.moreSecurityGroupIds ?? []),
    ...checkTargets(settings.targets ?? {}),
  ];
}

function checkGroups(groups: readonly unknown[]): PropertyProblem[] {
  const reason = `${groups.length} groups are too many: AWS allows ${MAX_GROUPS} for a network interface, and one is the workers' own`;
  return [
    ...problemAt("moreSecurityGroupIds", groups.length >= MAX_GROUPS && reason),
    ...groups.flatMap((group, index) =>
      problemAt(
        `moreSecurityGroupIds[${index}]`,
        typeof group === "string" &&
          !/^sg-[0-9a-f]{8,}$/.test(group) &&
          `"${group}" is no id of a security group: write it as in "sg-0123456789abcdef0"`,
      ),
    ),
  ];
}

function checkTargets(targets: NonNullable<PoolSettings["targets"]>): PropertyProblem[] {
  return Object.entries(targets).flatMap(([key, { targetGroupArn, port }]) => {
    const path = `targets["${key}"]`;
    const isArn = /^arn:[a-z-]+:elasticloadbalancing:[a-z0-9-]+:\d{12}:targetgroup\/[\w-]+\/\w+$/;
    return [
      ...problemAt(
        path,
        !/^[a-z][a-z0-9-]{0,31}$/.test(key) &&
          `"${key}" is no name: 1 to 32 lower-case letters, digits and "-", starting with a letter`,
      ),
      ...problemAt(
        `${path}.targetGroupArn`,
        typeof targetGroupArn === "string" &&
          !isArn.test(targetGroupArn) &&
          `"${targetGroupArn}" is no ARN of a target group: AWS writes them as in "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/web/0123456789abcdef"`,
      ),
      ...wholeNumber(`${path}.port`, port, 1, 65_535),
    ];
  });
}
