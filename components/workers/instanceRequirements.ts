import type * as aws from "@pulumi/aws";
import { problemAt, wholeNumber } from "../argumentChecks";
import { architectureOf, isBurstable, workerTypeProblem } from "../machines/instanceType";
import type { PropertyProblem } from "../problems";
import type { AutoScalingArgs, InstanceRequirementsArgs, NumberRange } from "./autoScalingArgs";

const MIB_PER_GIB = 1_024;
/** AWS' limits of these lists and of virtual processors (EC2 API, `InstanceRequirements`). */
const MOST_TYPES = 400;
const MOST_VCPUS = 10_000;

/**
 * Families that can't boot Talos' images, because they are older than AWS Nitro and have no UEFI. EC2
 * counts some of them as current.
 */
const BEFORE_NITRO = [
  "c3.*",
  "c4.*",
  "d2.*",
  "f1.*",
  "g2.*",
  "g3.*",
  "g3s.*",
  "h1.*",
  "i2.*",
  "i3.*",
  "m3.*",
  "m4.*",
  "p2.*",
  "p3.*",
  "r3.*",
  "r4.*",
  "t1.*",
  "t2.*",
  "x1.*",
  "x1e.*",
];

type Requirements =
  aws.types.input.autoscaling.GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirements;

/** Requirements in the terms of Auto Scaling. */
export function planInstanceRequirements(given: InstanceRequirementsArgs): Requirements {
  const { vcpus, memoryGib, allowedInstanceTypes, excludedInstanceTypes = [] } = given;
  const mib = (gib: number) => gib * MIB_PER_GIB;
  return {
    vcpuCount: { ...vcpus },
    memoryMib: {
      min: mib(memoryGib.min),
      ...(memoryGib.max !== undefined && { max: mib(memoryGib.max) }),
    },
    instanceGenerations: ["current"],
    burstablePerformance: given.burstable === true ? "included" : "excluded",
    ...(allowedInstanceTypes === undefined
      ? {
          acceleratorCount: { max: 0 },
          excludedInstanceTypes: [...BEFORE_NITRO, ...excludedInstanceTypes],
        }
      : { allowedInstanceTypes: [...allowedInstanceTypes] }),
  };
}

/**
 * All problems of requirements, by themselves and with the other choices of a pool.
 *
 * @param instanceType the pool's, which sets the architecture
 */
export function checkInstanceRequirements(
  scaling: AutoScalingArgs,
  instanceType: string,
): PropertyProblem[] {
  const { instanceRequirements: given, moreInstanceTypes, spotAllocation } = scaling;
  if (given === undefined) {
    return [];
  }
  return [
    ...checkRange("instanceRequirements.vcpus", given.vcpus, 1, MOST_VCPUS),
    ...checkRange("instanceRequirements.memoryGib", given.memoryGib, 1, 100_000),
    ...checkTypes(given),
    ...checkMatches(given, instanceType),
    ...problemAt(
      "moreInstanceTypes",
      moreInstanceTypes !== undefined &&
        `AWS chooses the types by instanceRequirements: leave out one of the two, or write these types as instanceRequirements.allowedInstanceTypes`,
    ),
    ...problemAt(
      "spotAllocation",
      spotAllocation === "capacity-optimized-prioritized" &&
        `"${spotAllocation}" needs types in an order, and instanceRequirements have none: take "price-capacity-optimized"`,
    ),
  ];
}

function checkRange(
  property: string,
  { min, max }: NumberRange,
  least: number,
  most: number,
): PropertyProblem[] {
  const problems = [
    ...wholeNumber(`${property}.min`, min, least, most),
    ...wholeNumber(`${property}.max`, max, least, most),
  ];
  const isReversed = problems.length === 0 && max !== undefined && max < min;
  const reason = `${max} is less than min, ${min}: give the larger number here`;
  return isReversed ? [{ property: `${property}.max`, reason }] : problems;
}

function checkTypes({
  allowedInstanceTypes,
  excludedInstanceTypes,
}: InstanceRequirementsArgs): PropertyProblem[] {
  const both = allowedInstanceTypes !== undefined && excludedInstanceTypes !== undefined;
  const path = "instanceRequirements.allowedInstanceTypes";
  return [
    ...problemAt(path, both && "it excludes excludedInstanceTypes: leave out one of the two"),
    ...problemAt(
      path,
      allowedInstanceTypes?.length === 0 && "no type is named: name one, or leave this out",
    ),
    ...(allowedInstanceTypes ?? []).flatMap((type, index) =>
      problemAt(`${path}[${index}]`, workerTypeProblem(exampleOf(type))),
    ),
    ...Object.entries({ allowedInstanceTypes, excludedInstanceTypes }).flatMap(([name, types]) =>
      problemAt(
        `instanceRequirements.${name}`,
        (types?.length ?? 0) + BEFORE_NITRO.length > MOST_TYPES &&
          `${types?.length ?? 0} types are too many: AWS allows ${MOST_TYPES}, of which ${BEFORE_NITRO.length} are taken`,
      ),
    ),
  ];
}

/** AWS makes no group if a requirement contradicts the types that it may choose. */
function checkMatches(
  { allowedInstanceTypes = [], burstable = false }: InstanceRequirementsArgs,
  instanceType: string,
): PropertyProblem[] {
  const architecture = architectureOf(instanceType);
  return allowedInstanceTypes.flatMap((type, index) => {
    const property = `instanceRequirements.allowedInstanceTypes[${index}]`;
    if (workerTypeProblem(exampleOf(type)) !== undefined) {
      return [];
    }
    const own = architectureOf(exampleOf(type));
    return [
      ...problemAt(
        property,
        own !== architecture &&
          `"${type}" is ${own}, and the pool's image is ${architecture}, as its instanceType "${instanceType}": leave it out, or make a pool of that architecture`,
      ),
      ...problemAt(
        property,
        !burstable &&
          isBurstable(type) &&
          `"${type}" is burstable, and such types are never chosen unless burstable is true: set that, or leave it out`,
      ),
    ];
  });
}

/** A type that a pattern stands for, of a size that is large enough. */
function exampleOf(pattern: string): string {
  return pattern.replace(/\*+$/, "large");
}
