import type * as pulumi from "@pulumi/pulumi";
import type { AutoScalingArgs } from "./autoScalingArgs";
import { planInstanceRequirements } from "./instanceRequirements";

/**
 * The mixed instances policy of a group; undefined for one type at full price.
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
  if (!isMixed && onDemandPercentage === 100) {
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
