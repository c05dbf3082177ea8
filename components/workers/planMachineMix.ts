import type * as aws from "@pulumi/aws";
import type { AutoScalingArgs } from "./autoScalingArgs";

/**
 * What a group makes its machines of, where that is more than one type at full price; undefined where
 * it isn't.
 *
 * @param instanceType the first choice
 * @param onDemandBaseSize of this group
 * @param template which version of which launch template
 */
export function planMachineMix(
  scaling: AutoScalingArgs,
  instanceType: string,
  onDemandBaseSize: number,
  template: aws.types.input.autoscaling.GroupMixedInstancesPolicyLaunchTemplateLaunchTemplateSpecification,
): aws.types.input.autoscaling.GroupMixedInstancesPolicy | undefined {
  const { moreInstanceTypes = [], onDemandPercentage = 100 } = scaling;
  if (moreInstanceTypes.length === 0 && onDemandPercentage === 100) {
    return undefined;
  }
  return {
    instancesDistribution: {
      // In the order in which they are given, the only other choice being the cheapest first.
      onDemandAllocationStrategy: "prioritized",
      onDemandBaseCapacity: onDemandBaseSize,
      onDemandPercentageAboveBaseCapacity: onDemandPercentage,
      spotAllocationStrategy: scaling.spotAllocation ?? "price-capacity-optimized",
    },
    launchTemplate: {
      launchTemplateSpecification: template,
      overrides: [instanceType, ...moreInstanceTypes].map((each) => ({ instanceType: each })),
    },
  };
}
