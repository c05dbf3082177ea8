import type {
  AutoScalingGroup,
  LaunchTemplateSpecification,
  MixedInstancesPolicy,
  RefreshStrategy,
  ScaleInProtectedInstances,
  StandbyInstances,
  Tag,
} from "@aws-sdk/client-auto-scaling";
import type { Inputs } from "../inputs";
import type { Value, Values } from "../value";
import { requirementsRequest, requirementsValues } from "./instanceRequirements";

/** A group's inputs in the form of Auto Scaling's calls. */
export function groupRequest(inputs: Inputs) {
  const template = inputs.block("launchTemplate");
  const policy = inputs.block("mixedInstancesPolicy");
  return {
    MinSize: inputs.number("minSize"),
    MaxSize: inputs.number("maxSize"),
    DesiredCapacity: inputs.number("desiredCapacity"),
    AvailabilityZones: inputs.strings("availabilityZones"),
    VPCZoneIdentifier: inputs.strings("vpcZoneIdentifiers")?.join(","),
    LaunchTemplate: template && {
      LaunchTemplateId: template.string("id"),
      LaunchTemplateName: template.has("id") ? undefined : template.string("name"),
      Version: template.string("version"),
    },
    MixedInstancesPolicy: policy && mixedInstancesPolicy(policy),
    CapacityRebalance: inputs.boolean("capacityRebalance"),
    DefaultCooldown: inputs.number("defaultCooldown"),
    DefaultInstanceWarmup: inputs.number("defaultInstanceWarmup"),
    HealthCheckGracePeriod: inputs.number("healthCheckGracePeriod"),
    HealthCheckType: inputs.string("healthCheckType"),
    MaxInstanceLifetime: inputs.number("maxInstanceLifetime"),
    NewInstancesProtectedFromScaleIn: inputs.boolean("protectFromScaleIn"),
    PlacementGroup: inputs.string("placementGroup"),
    TerminationPolicies: inputs.strings("terminationPolicies"),
  };
}

/** The settings of an instance refresh in the form of Auto Scaling. */
export function refreshRequest(refresh: Inputs) {
  const preferences = refresh.block("preferences");
  const warmUp = preferences?.string("instanceWarmup");
  return {
    Strategy: refresh.requiredString("strategy") as RefreshStrategy,
    Preferences: {
      AutoRollback: preferences?.boolean("autoRollback"),
      InstanceWarmup: warmUp === undefined || warmUp === "" ? undefined : Number(warmUp),
      MaxHealthyPercentage: preferences?.number("maxHealthyPercentage"),
      MinHealthyPercentage: preferences?.number("minHealthyPercentage"),
      ScaleInProtectedInstances: preferences?.string("scaleInProtectedInstances") as
        ScaleInProtectedInstances | undefined,
      SkipMatching: preferences?.boolean("skipMatching"),
      StandbyInstances: preferences?.string("standbyInstances") as StandbyInstances | undefined,
    },
  };
}

/** A group's tags in the form of Auto Scaling. */
export function tagRequest(group: string, tags: readonly Inputs[]): Tag[] {
  return tags.map((tag) => ({
    ResourceId: group,
    ResourceType: "auto-scaling-group",
    Key: tag.requiredString("key"),
    Value: tag.requiredString("value"),
    PropagateAtLaunch: tag.boolean("propagateAtLaunch"),
  }));
}

/** The properties of a live group. */
export function groupValues(live: AutoScalingGroup): Values {
  const policies = live.TerminationPolicies ?? [];
  const subnets = live.VPCZoneIdentifier ?? "";
  return {
    arn: live.AutoScalingGroupARN ?? "",
    name: live.AutoScalingGroupName ?? "",
    minSize: live.MinSize ?? 0,
    maxSize: live.MaxSize ?? 0,
    desiredCapacity: live.DesiredCapacity ?? 0,
    availabilityZones: [...new Set(live.AvailabilityZones)],
    vpcZoneIdentifiers: subnets === "" ? null : subnets.split(","),
    launchTemplate: live.LaunchTemplate
      ? {
          id: live.LaunchTemplate.LaunchTemplateId ?? null,
          name: live.LaunchTemplate.LaunchTemplateName ?? null,
          version: live.LaunchTemplate.Version ?? null,
        }
      : null,
    mixedInstancesPolicy: policyValues(live),
    capacityRebalance: live.CapacityRebalance ?? null,
    defaultCooldown: live.DefaultCooldown ?? 300,
    defaultInstanceWarmup: live.DefaultInstanceWarmup ?? null,
    enabledMetrics: live.EnabledMetrics?.map(({ Metric }) => Metric ?? "") ?? [],
    healthCheckGracePeriod: live.HealthCheckGracePeriod ?? 0,
    healthCheckType: live.HealthCheckType ?? "EC2",
    maxInstanceLifetime: live.MaxInstanceLifetime ?? null,
    placementGroup: live.PlacementGroup ?? null,
    protectFromScaleIn: live.NewInstancesProtectedFromScaleIn ?? false,
    serviceLinkedRoleArn: live.ServiceLinkedRoleARN ?? "",
    suspendedProcesses: live.SuspendedProcesses?.map((each) => each.ProcessName ?? "") ?? [],
    tags: (live.Tags ?? []).map(({ Key, Value: value, PropagateAtLaunch }) => ({
      key: Key ?? "",
      value: value ?? "",
      propagateAtLaunch: PropagateAtLaunch ?? false,
    })),
    targetGroupArns: [...(live.TargetGroupARNs ?? [])],
    // A group without a policy has the default one.
    terminationPolicies: policies.join() === "Default" ? [] : [...policies],
  };
}

function mixedInstancesPolicy(policy: Inputs): MixedInstancesPolicy {
  const template = policy.block("launchTemplate");
  const distribution = policy.block("instancesDistribution");
  const specification = template?.block("launchTemplateSpecification");
  return {
    LaunchTemplate: {
      LaunchTemplateSpecification: specification && templateVersion(specification),
      Overrides: template?.blocks("overrides").map((override) => {
        const own = override.block("launchTemplateSpecification");
        return {
          InstanceType: override.string("instanceType"),
          InstanceRequirements: requirementsRequest(override.block("instanceRequirements")),
          LaunchTemplateSpecification: own && templateVersion(own),
        };
      }),
    },
    InstancesDistribution: distribution && {
      OnDemandAllocationStrategy: distribution.string("onDemandAllocationStrategy"),
      OnDemandBaseCapacity: distribution.number("onDemandBaseCapacity"),
      OnDemandPercentageAboveBaseCapacity: distribution.number(
        "onDemandPercentageAboveBaseCapacity",
      ),
      SpotAllocationStrategy: distribution.string("spotAllocationStrategy"),
      SpotInstancePools: distribution.number("spotInstancePools"),
      SpotMaxPrice: distribution.string("spotMaxPrice"),
    },
  };
}

function templateVersion(specification: Inputs): LaunchTemplateSpecification {
  return {
    LaunchTemplateId: specification.string("launchTemplateId"),
    LaunchTemplateName: specification.has("launchTemplateId")
      ? undefined
      : specification.string("launchTemplateName"),
    Version: specification.string("version"),
  };
}

function policyValues({ MixedInstancesPolicy: policy }: AutoScalingGroup): Value {
  const template = policy?.LaunchTemplate;
  const distribution = policy?.InstancesDistribution;
  if (template === undefined) {
    return null;
  }
  return {
    launchTemplate: {
      launchTemplateSpecification: versionValues(template.LaunchTemplateSpecification),
      overrides: (template.Overrides ?? []).map((override) => ({
        instanceType: override.InstanceType ?? null,
        instanceRequirements: requirementsValues(override.InstanceRequirements),
        launchTemplateSpecification:
          override.LaunchTemplateSpecification === undefined
            ? null
            : versionValues(override.LaunchTemplateSpecification),
      })),
    },
    instancesDistribution: {
      onDemandAllocationStrategy: distribution?.OnDemandAllocationStrategy ?? null,
      onDemandBaseCapacity: distribution?.OnDemandBaseCapacity ?? null,
      onDemandPercentageAboveBaseCapacity:
        distribution?.OnDemandPercentageAboveBaseCapacity ?? null,
      spotAllocationStrategy: distribution?.SpotAllocationStrategy ?? null,
      spotInstancePools: distribution?.SpotInstancePools ?? null,
      spotMaxPrice: distribution?.SpotMaxPrice ?? null,
    },
  };
}

function versionValues(version: LaunchTemplateSpecification | undefined): Values {
  return {
    launchTemplateId: version?.LaunchTemplateId ?? null,
    launchTemplateName: version?.LaunchTemplateName ?? null,
    version: version?.Version ?? null,
  };
}
