import { checkWord, wholeNumber } from "../argumentChecks";
import { checkCpuCredits, DEFAULT_INSTANCE_TYPE } from "../machines/machineSettings";
import { checkPlacement } from "../machines/placement";
import type { PropertyProblem } from "../problems";
import {
  type AutoScalingArgs,
  GROUP_STRATEGIES,
  INSTANCE_REFRESHES,
  SPOT_ALLOCATIONS,
} from "./autoScalingArgs";
import { checkGpuCount } from "./checkGpuCount";
import { checkMoreTypes } from "./checkWorkers";
import { checkInstanceRequirements } from "./instanceRequirements";
import { labelTag, type NodeTemplate, taintTag } from "./planAutoscalerTags";
import { checkRefresh } from "./planRefresh";
import { desiredSizeOf } from "./planScalingGroups";
import { checkPoolSettings, type PoolSettings } from "./poolSettings";

/** AWS' own limits. */
const MAX_TAG_KEY = 128;
const MAX_TAG_VALUE = 256;
const MAX_TEMPLATE_NAME = 128;
/** More than any machine offers to pods. */
const MAX_GPUS = 1_000;
/** The length of Pulumi's suffix that makes a name unique. */
const UNIQUE_SUFFIX = 8;

/** The arguments of a pool that are checked before creation. */
export type AutoScalingChoices = PoolSettings &
  AutoScalingArgs &
  NodeTemplate & { readonly subnets: Readonly<Record<string, unknown>> };

/** All problems of a pool that AWS makes the machines of. */
export function checkAutoScalingPool(name: string, choices: AutoScalingChoices): PropertyProblem[] {
  return [
    ...checkTemplateName(name),
    ...checkPoolSettings(choices),
    ...checkAutoScaling(choices, choices.instanceType),
    ...checkGroupPlacement(choices, choices, Object.keys(choices.subnets)),
    ...(choices.clusterAutoscaler === true
      ? [
          ...checkNodeTemplate(choices),
          ...checkKnownTypes(choices),
          ...checkGpuCount({
            instanceType: choices.instanceType,
            scaling: choices,
            maySlice: true,
          }),
        ]
      : []),
  ];
}

/** All problems of how a pool is scaled. */
export function checkAutoScaling(
  scaling: AutoScalingArgs,
  instanceType = DEFAULT_INSTANCE_TYPE,
): PropertyProblem[] {
  return [
    ...checkSizes(scaling),
    ...checkWord("groups", scaling.groups, GROUP_STRATEGIES),
    ...checkWord("spotAllocation", scaling.spotAllocation, SPOT_ALLOCATIONS),
    ...checkWord("refresh", scaling.refresh, INSTANCE_REFRESHES),
    ...checkMoreTypes(instanceType, scaling.moreInstanceTypes ?? []),
    ...checkInstanceRequirements(scaling, instanceType),
    ...checkSpot(scaling),
    ...checkRefresh(scaling),
    ...wholeNumber("healthCheckGraceSeconds", scaling.healthCheckGraceSeconds, 0, 7_200),
    ...wholeNumber("drainSeconds", scaling.drainSeconds, 30, 7_200),
    ...wholeNumber("gpuCount", scaling.gpuCount, 1, MAX_GPUS),
    ...wholeNumber("maxInstanceLifetimeDays", scaling.maxInstanceLifetimeDays, 1, 365),
  ];
}

/** All problems of where AWS places the machines of a pool, what capacity they use, and their credits. */
export function checkGroupPlacement(
  { placementGroup, capacityReservation, instanceType, cpuCredits }: PoolSettings,
  scaling: AutoScalingArgs,
  zoneKeys: readonly string[],
): PropertyProblem[] {
  const { moreInstanceTypes = [], onDemandPercentage = 100 } = scaling;
  const typesVary =
    scaling.instanceRequirements !== undefined
      ? "instanceRequirements allow several"
      : moreInstanceTypes.length > 0
        ? "moreInstanceTypes name others"
        : onDemandPercentage < 100
          ? `onDemandPercentage ${onDemandPercentage} asks for spot machines`
          : undefined;
  const placed = {
    placementGroup,
    capacityReservation,
    count: scaling.maxSize,
    zoneKeys,
    instanceTypes: typesOf(scaling, instanceType),
    typesVary,
  };
  return [...checkPlacement(placed), ...checkCredits(cpuCredits, scaling)];
}

/** The first type is checked with the machines of all pools. */
function checkCredits(
  cpuCredits: PoolSettings["cpuCredits"],
  { instanceRequirements, moreInstanceTypes = [] }: AutoScalingArgs,
): PropertyProblem[] {
  if (cpuCredits === undefined || instanceRequirements === undefined) {
    return checkCpuCredits(cpuCredits, moreInstanceTypes);
  }
  const reason = `instanceRequirements allow types that earn no CPU credits: leave out one of the two`;
  return [{ property: "cpuCredits", reason }];
}

/** The types that AWS may choose for the machines of a pool, as names or patterns. */
function typesOf(
  { instanceRequirements, moreInstanceTypes = [] }: AutoScalingArgs,
  instanceType = DEFAULT_INSTANCE_TYPE,
): readonly string[] {
  if (instanceRequirements === undefined) {
    return [instanceType, ...moreInstanceTypes];
  }
  const { allowedInstanceTypes, burstable = false } = instanceRequirements;
  return burstable ? (allowedInstanceTypes ?? ["t3.*"]) : [];
}

/**
 * Names that AWS refuses. The tighter limits of security groups, load balancers and roles are
 * checked where those are created.
 */
export function checkTemplateName(name: string): PropertyProblem[] {
  const limit = MAX_TEMPLATE_NAME - UNIQUE_SUFFIX;
  const reason = `"${name}" has ${name.length} characters, and the name of a launch template has room for ${limit}: take a shorter one`;
  return name.length <= limit ? [] : [{ property: "name", reason }];
}

/** Labels and taints that the autoscaler can't be told. */
export function checkNodeTemplate({ labels = {}, taints = {} }: NodeTemplate): PropertyProblem[] {
  const check = (property: string, key: string, value: string) => {
    const reason =
      key.length > MAX_TAG_KEY
        ? `the autoscaler learns it from a tag, and AWS allows no key of ${key.length} characters, ${MAX_TAG_KEY} at most: take a shorter key, or set clusterAutoscaler to false`
        : value.length > MAX_TAG_VALUE
          ? `the autoscaler learns it from a tag, and AWS allows no value of ${value.length} characters, ${MAX_TAG_VALUE} at most`
          : undefined;
    return reason === undefined ? [] : [{ property, reason }];
  };
  return [
    ...Object.entries(labels).flatMap(([key, value]) =>
      check(`labels["${key}"]`, labelTag(key), value),
    ),
    ...Object.entries(taints).flatMap(([key, value]) =>
      check(`taints["${key}"]`, taintTag(key), value),
    ),
  ];
}

/**
 * The autoscaler learns the types of a group with requirements only from its launch template
 * (kubernetes/autoscaler release 1.36, aws_wrapper.go, `getInstanceTypeFromRequirementsOverrides`).
 *
 * @param scaling of a pool that the autoscaler resizes
 */
export function checkKnownTypes({ instanceRequirements }: AutoScalingArgs): PropertyProblem[] {
  const reason = `the cluster autoscaler would learn the types from the launch template, and its role may not read that, as the user data in it lets machines join: name types in instanceType and moreInstanceTypes, or set clusterAutoscaler false`;
  return instanceRequirements === undefined ? [] : [{ property: "instanceRequirements", reason }];
}

function checkSizes(scaling: AutoScalingArgs): PropertyProblem[] {
  const { minSize, maxSize, onDemandBaseSize } = scaling;
  const desiredSize = desiredSizeOf(scaling);
  const problems = [
    ...wholeNumber("minSize", minSize, 0, 1_000),
    ...wholeNumber("maxSize", maxSize, 1, 1_000),
    ...wholeNumber("onDemandBaseSize", onDemandBaseSize, 0, 1_000),
  ];
  if (problems.length > 0) {
    return problems;
  }
  if (minSize > maxSize) {
    const reason = `a pool can't have ${minSize} machines at least and ${maxSize} at most: maxSize ${maxSize} is the smaller one`;
    return [{ property: "minSize", reason }];
  }
  const fits = Number.isInteger(desiredSize) && desiredSize >= minSize && desiredSize <= maxSize;
  const reason = `a pool of ${minSize} to ${maxSize} machines can't begin with ${desiredSize}: take a number between`;
  return fits ? [] : [{ property: "desiredSize", reason }];
}

function checkSpot(scaling: AutoScalingArgs): PropertyProblem[] {
  const { onDemandPercentage = 100, onDemandBaseSize, spotAllocation } = scaling;
  const problems = wholeNumber("onDemandPercentage", onDemandPercentage, 0, 100);
  if (problems.length > 0 || onDemandPercentage < 100) {
    return problems;
  }
  const idle = [
    ...(onDemandBaseSize === undefined ? [] : ["onDemandBaseSize"]),
    ...(spotAllocation === undefined ? [] : ["spotAllocation"]),
    ...(scaling.capacityRebalance === true ? ["capacityRebalance"] : []),
  ];
  return idle.map((property) => ({
    property,
    reason: `it has no effect while every machine is at full price: set onDemandPercentage below 100, or leave it out`,
  }));
}
