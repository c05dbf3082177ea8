import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { checkWord, wholeNumber } from "../argumentChecks";
import { logBeside } from "../logBeside";
import type { PropertyProblem } from "../problems";
import { isBurstable } from "./instanceType";

/** Where AWS places machines in relation to each other. */
export type PlacementStrategy = (typeof PLACEMENT_STRATEGIES)[number];

/** All strategies. */
const PLACEMENT_STRATEGIES = ["cluster", "partition", "spread"] as const;

/** The most machines of a spread group, and the most partitions, in one zone (EC2 user guide). */
const MOST_APART = 7;
/** Source: terraform-provider-aws v6, documentation of `aws_placement_group`. */
const DEFAULT_PARTITIONS = 2;

/** A placement group for the machines of a pool. Free of charge. */
export interface PlacementGroupArgs {
  /**
   * - `cluster`: close together, for fast networks. All machines are in one zone, and none is of a
   *   burstable type.
   * - `partition`: in partitions that share no hardware.
   * - `spread`: each on its own hardware, 7 in each zone at most.
   */
  readonly strategy: PlacementStrategy;
  /** The number of partitions in each zone, 1 to 7. Only for `partition`. Default: 2. */
  readonly partitions?: number;
}

/**
 * The capacity reservation of machines: exactly one of its properties. AWS charges for reserved capacity
 * whether it is used or not.
 */
export interface CapacityReservationArgs {
  /** Id of a reservation. It is for one zone and one instance type. */
  readonly id?: pulumi.Input<string>;
  /** ARN of a resource group of reservations. */
  readonly resourceGroupArn?: pulumi.Input<string>;
  /** `open` uses any fitting reservation, as EC2 does by default; `none` uses none. */
  readonly preference?: "open" | "none";
}

/** The machines that a placement or a reservation is for. */
export interface PlacedMachines {
  readonly placementGroup?: PlacementGroupArgs | undefined;
  readonly capacityReservation?: CapacityReservationArgs | undefined;
  /** The largest number of machines. */
  readonly count: number;
  readonly zoneKeys: readonly string[];
  /** Types that the machines may have, as names or patterns. Default: none that matters. */
  readonly instanceTypes?: readonly string[];
  /** Why no single instance type is known; undefined if there is one. */
  readonly typesVary?: string | undefined;
}

/**
 * Creates the placement group of a pool; undefined without one. Its name is random, so that another
 * strategy can exist beside the old one.
 */
export function makePlacementGroup(
  name: string,
  group: PlacementGroupArgs | undefined,
  tags: pulumi.Input<Record<string, pulumi.Input<string>>>,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
  if (group === undefined) {
    return undefined;
  }
  const { strategy, partitions } = group;
  const made = new aws.ec2.PlacementGroup(
    name,
    {
      strategy,
      ...(partitions !== undefined && { partitionCount: partitions }),
      tags: pulumi.output(tags).apply((more) => ({ Name: name, ...more })),
    },
    opts,
  );
  if (strategy === "partition" && partitions === undefined) {
    made.partitionCount.apply((count) => {
      if (count > DEFAULT_PARTITIONS) {
        const line = `${name} keeps its ${count} partitions, because the AWS provider takes back nothing that is left out: set placementGroup.partitions to say how many it has`;
        void logBeside(made, line, { severity: "warn" });
      }
    });
  }
  return made.name;
}

/** A capacity reservation in the terms of EC2. */
export function reservationOf({ id, resourceGroupArn, preference }: CapacityReservationArgs) {
  return preference === undefined
    ? {
        capacityReservationTarget: {
          ...(id !== undefined && { capacityReservationId: id }),
          ...(resourceGroupArn !== undefined && {
            capacityReservationResourceGroupArn: resourceGroupArn,
          }),
        },
      }
    : { capacityReservationPreference: preference };
}

/** All problems of where machines are placed and what capacity they use. */
export function checkPlacement(machines: PlacedMachines): PropertyProblem[] {
  return [...checkPlacementGroup(machines), ...checkReservation(machines)];
}

function checkPlacementGroup({
  placementGroup,
  count,
  zoneKeys,
  instanceTypes = [],
}: PlacedMachines): PropertyProblem[] {
  if (placementGroup === undefined) {
    return [];
  }
  const { strategy, partitions } = placementGroup;
  const problems = [
    ...checkWord("placementGroup.strategy", strategy, PLACEMENT_STRATEGIES),
    ...wholeNumber("placementGroup.partitions", partitions, 1, MOST_APART),
  ];
  const say = (property: string, reason: string) => {
    problems.push({ property: `placementGroup.${property}`, reason });
  };
  if (partitions !== undefined && strategy !== "partition") {
    say("partitions", `a group of the strategy "${strategy}" has none: leave it out`);
  }
  if (strategy === "cluster" && zoneKeys.length > 1) {
    const reason = `a group of the strategy "cluster" is in one zone, and these machines are in ${zoneKeys.join(", ")}: set the pool's zones to one of them`;
    say("strategy", reason);
  }
  // EC2 user guide, "Placement groups", rules of cluster placement groups.
  const burstable = instanceTypes.find(isBurstable);
  if (strategy === "cluster" && burstable !== undefined) {
    const reason = `a group of the strategy "cluster" takes no burstable machines, and these may be "${burstable}": take a type such as "m6i.large", or the strategy "partition"`;
    say("strategy", reason);
  }
  if (strategy === "spread" && count > MOST_APART * zoneKeys.length) {
    const reason = `a group of the strategy "spread" has ${MOST_APART} machines in a zone, so ${MOST_APART * zoneKeys.length} here, and the pool has up to ${count}: take fewer machines, more zones or the strategy "partition"`;
    say("strategy", reason);
  }
  return problems;
}

function checkReservation({
  capacityReservation,
  zoneKeys,
  typesVary,
}: PlacedMachines): PropertyProblem[] {
  if (capacityReservation === undefined) {
    return [];
  }
  const { id, resourceGroupArn, preference } = capacityReservation;
  const problems = checkWord("capacityReservation.preference", preference, ["open", "none"]);
  const say = (property: string, reason: string) => {
    problems.push({ property, reason });
  };
  const given = Object.entries({ id, resourceGroupArn, preference })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (given.length !== 1) {
    const found = given.length === 0 ? "none" : given.join(" and ");
    say(
      "capacityReservation",
      `it needs exactly one of id, resourceGroupArn and preference, and has ${found}`,
    );
  }
  if (typeof id === "string" && !/^cr-[0-9a-f]{8,}$/.test(id)) {
    const reason = `"${id}" is no id of a capacity reservation: write it as in "cr-0123456789abcdef0"`;
    say("capacityReservation.id", reason);
  }
  const isGroup = /^arn:[a-z-]+:resource-groups:[a-z0-9-]+:\d{12}:group\/\S+$/;
  if (typeof resourceGroupArn === "string" && !isGroup.test(resourceGroupArn)) {
    const reason = `"${resourceGroupArn}" is no ARN of a resource group: write it as in "arn:aws:resource-groups:us-east-1:123456789012:group/reserved"`;
    say("capacityReservation.resourceGroupArn", reason);
  }
  if (id !== undefined && zoneKeys.length > 1) {
    const reason = `a reservation is for one zone, and these machines are in ${zoneKeys.join(", ")}: set the pool's zones to one of them, or give resourceGroupArn`;
    say("capacityReservation.id", reason);
  }
  if (preference === undefined && typesVary !== undefined) {
    const reason = `a reservation is for machines of one type at full price, and ${typesVary}: leave out one of the two`;
    say("capacityReservation", reason);
  }
  return problems;
}
