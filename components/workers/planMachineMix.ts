import type * as pulumi from "@pulumi/pulumi";
import type { AutoScalingArgs } from "./autoScalingArgs";
import { planInstanceRequirements } from "./instanceRequirements";

/**
 * The mixed instances policy of a group; undefined for one type at full price that no autoscaler
 * resizes. The cluster autoscaler takes the type from the first of these. Without them it would read
 * the launch template, with the user data in it, which its role may not. And while it can't learn the
 * type of an empty group, it resizes none. Source: kubernetes/autoscaler, releases 1.28 to 1.36,
 * cloudprovider/aws/aws_wrapper.go, `getInstanceTypesForAsgs`.
 *
 * @param instanceType the first choice
 * @param onDemandBaseSize of this group
 * @param template the launch template and its version
 */
export function planMachineMix(
  scaling: AutoScalingArgs,
  instanceType: string,
  onDemandBaseSize: number,
  template: {
    readonly launchTemplateId: pulumi.Input<string>;
    readonly version: pulumi.Input<string>;
  },
) {
  const { moreInstanceTypes = [], onDemandPercentage = 100, instanceRequirements } = scaling;
  const isMixed = moreInstanceTypes.length > 0 || instanceRequirements !== undefined;
  if (!isMixed && onDemandPercentage === 100 && scaling.clusterAutoscaler !== true) {
    return undefined;
  }
  return {
    instancesDistribution: {
      // In the given order. The only other choice is the cheapest first, for types without an order.
      onDemandAllocationStrategy:
        instanceRequirements === undefined ? "prioritized" : "lowest-price",
      onDemandBaseCapacity: onDemandBaseSize,
      onDemandPercentageAboveBaseCapacity: onDemandPercentage,
      spotAllocationStrategy: scaling.spotAllocation ?? "price-capacity-optimized",
    },
    launchTemplate: {
      launchTemplateSpecification: template,
      overrides:
        instanceRequirements === undefined
          ? [instanceType, ...moreInstanceTypes].map((each) => ({ instanceType: each }))
          : [{ instanceRequirements: planInstanceRequirements(instanceRequirements) }],
    },
  };
}
