import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { clusterTag } from "../clusterTag";
import { subnetIn } from "../network/subnetIn";
import { refuse } from "../problems";
import { checkAutoScalingPool } from "./checkAutoScaling";
import { DEFAULT_WORKER_TYPE } from "./checkWorkers";
import { makeLaunchTemplate } from "./makeLaunchTemplate";
import { planAutoscalerTags } from "./planAutoscalerTags";
import { planMachineMix } from "./planMachineMix";
import { planScalingGroups, type ScalingGroupPlan } from "./planScalingGroups";
import type { AutoScalingWorkerPoolArgs } from "./workerPoolArgs";

/**
 * Workers that AWS makes and ends by itself, between two sizes. They boot with their configuration,
 * and join the cluster without anyone's doing. Costs nothing but its machines.
 *
 * Their user data holds what every worker knows: the token and the certificates with which machines
 * join, no key of an authority. Whoever may call `ec2:DescribeLaunchTemplateVersions` reads it. Other
 * tokens in the configuration make a new version of the template, and new machines where `refresh`
 * is `rolling`; old versions keep what they held, so the old tokens have to be made worthless.
 *
 * What changes of the configuration reaches machines by replacing them: nobody talks to them by name.
 *
 * @throws pulumi.InputPropertiesError that tells everything wrong with the arguments at once
 */
export class AutoScalingWorkerPool extends pulumi.ComponentResource {
  /** Names of the groups by the key of their zone, or by `all`. */
  public readonly groupNames: pulumi.Output<Record<string, string>>;

  constructor(
    name: string,
    args: AutoScalingWorkerPoolArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    refuse(`the worker pool "${name}"`, checkAutoScalingPool(name, args));
    super("talos-aws:index:AutoScalingWorkerPool", name, {}, opts);
    const instanceType = args.instanceType ?? DEFAULT_WORKER_TYPE;
    const template = makeLaunchTemplate(name, instanceType, args, { parent: this });
    const groups = planScalingGroups(args, Object.keys(args.subnets)).map(
      (plan) => [plan.key, this.makeGroup(name, plan, instanceType, template, args)] as const,
    );
    this.groupNames = pulumi.output(
      Object.fromEntries(groups.map(([key, group]) => [key, group.name])),
    );
    this.registerOutputs({ groupNames: this.groupNames });
  }

  private makeGroup(
    name: string,
    plan: ScalingGroupPlan,
    instanceType: string,
    template: aws.ec2.LaunchTemplate,
    args: AutoScalingWorkerPoolArgs,
  ): aws.autoscaling.Group {
    const { clusterAutoscaler = true, protectFromScaleIn = false } = args;
    // A version's number, not "$Latest": another one is what a refresh begins with.
    const version = template.latestVersion.apply(String);
    const mix = planMachineMix(args, instanceType, plan.onDemandBaseSize, {
      launchTemplateId: template.id,
      version,
    });
    return new aws.autoscaling.Group(
      `${name}-${plan.key}`,
      {
        minSize: plan.minSize,
        maxSize: plan.maxSize,
        desiredCapacity: plan.desiredSize,
        vpcZoneIdentifiers: plan.zoneKeys.map((key) => subnetIn(args.subnets, key)),
        ...(mix === undefined
          ? { launchTemplate: { id: template.id, version } }
          : { mixedInstancesPolicy: mix }),
        healthCheckType: "EC2",
        healthCheckGracePeriod: args.healthCheckGraceSeconds ?? 300,
        capacityRebalance: args.capacityRebalance ?? false,
        ...(args.maxInstanceLifetimeDays !== undefined && {
          maxInstanceLifetime: args.maxInstanceLifetimeDays * 86_400,
        }),
        protectFromScaleIn,
        // Protected machines would keep a group from ever being deleted.
        forceDelete: protectFromScaleIn,
        // It ends machines to spread the others, whatever runs on them.
        ...(clusterAutoscaler &&
          plan.zoneKeys.length > 1 && { suspendedProcesses: ["AZRebalance"] }),
        ...(args.refresh !== "none" && {
          instanceRefresh: {
            strategy: "Rolling",
            preferences: {
              minHealthyPercentage: args.minHealthyPercentage ?? 90,
              instanceWarmup: String(args.warmupSeconds ?? 120),
              ...(protectFromScaleIn && { scaleInProtectedInstances: "Wait" }),
            },
          },
        }),
        tags: groupTags(`${name}-${plan.key}`, args),
      },
      {
        parent: this,
        protect: args.protect ?? false,
        ignoreChanges: clusterAutoscaler ? ["desiredCapacity"] : [],
      },
    );
  }
}

/** The group's own tags: its machines have theirs from the launch template. */
function groupTags(
  groupName: string,
  { clusterName, tags = {}, clusterAutoscaler = true, labels, taints }: AutoScalingWorkerPoolArgs,
): pulumi.Output<aws.types.input.autoscaling.GroupTag[]> {
  return pulumi.all([clusterName, tags]).apply(([cluster, more]) =>
    Object.entries({
      Name: groupName,
      [clusterTag(cluster)]: "owned",
      ...(clusterAutoscaler ? planAutoscalerTags(cluster, { labels, taints }) : {}),
      ...more,
    }).map(([key, value]) => ({ key, value, propagateAtLaunch: false })),
  );
}
