import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { tellingTheEnd } from "../../provider/engine";
import { clusterTag } from "../clusterTag";
import { orFailRun } from "../failRun";
import { logBeside } from "../logBeside";
import { DEFAULT_INSTANCE_TYPE } from "../machines/machineSettings";
import { subnetIn } from "../network/subnetIn";
import { misspeltArguments, refuse } from "../problems";
import { awaitRefresh } from "./awaitRefresh";
import { checkAutoScalingPool } from "./checkAutoScaling";
import { makeLaunchTemplate } from "./makeLaunchTemplate";
import { nodesSeenBy } from "./nodeObserver";
import { OldMachinesDrain } from "./oldMachinesDrain";
import { planAutoscalerTags } from "./planAutoscalerTags";
import { planMachineMix } from "./planMachineMix";
import { planRefresh } from "./planRefresh";
import { planScalingGroups, type ScalingGroupPlan } from "./planScalingGroups";
import { findPoolMachines, machinesAt } from "./poolMachines";
import { markReplaced, removeReplaced } from "./replacedNodes";
import type { AutoScalingWorkerPoolArgs } from "./workerPoolArgs";

/** How long a group may take to replace its machines, unless it is said. */
const DEFAULT_REFRESH_TIMEOUT_SECONDS = 3_600;

/** How long the AWS provider waits for a deleted group's machines to end. Source: its delete timeout. */
const DELETE_TIMEOUT_SECONDS = 600;

interface MadeGroup {
  readonly plan: ScalingGroupPlan;
  readonly group: aws.autoscaling.Group;
}

const TYPE = "talos-aws:index:AutoScalingWorkerPool";

/**
 * Workers in auto scaling groups, between two sizes. They boot with their configuration and join
 * the cluster on their own. Only the machines cost money.
 *
 * Their user data contains what every worker knows: the token and the certificates for joining, no
 * key of a CA. Every principal with `ec2:DescribeLaunchTemplateVersions` can read it. New tokens in
 * the configuration make a new version of the template, and new machines if `refresh` is `rolling`.
 * Old versions keep the old tokens, so revoke those.
 *
 * A change of the configuration replaces machines. Pods move to the new machines as these become
 * ready, unless AWS is faster (`OldMachinesDrain`). While machines of an older version exist, a
 * group waits for `refreshDependsOn`, and then until the group of the zone before has replaced its
 * machines. The pool is done when the last group is.
 *
 * @throws pulumi.InputPropertiesError that lists all problems of the arguments
 */
export class AutoScalingWorkerPool extends pulumi.ComponentResource {
  /** Names of the groups by the key of their zone, or by `all`. */
  readonly groupNames: pulumi.Output<Record<string, string>>;

  constructor(
    name: string,
    args: AutoScalingWorkerPoolArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    refuse(`the worker pool "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...checkAutoScalingPool(name, args),
    ]);
    super(TYPE, name, {}, opts);
    const instanceType = args.instanceType ?? DEFAULT_INSTANCE_TYPE;
    const template = makeLaunchTemplate(
      name,
      args.instanceRequirements === undefined ? instanceType : undefined,
      args,
      { parent: this },
    );
    const made: MadeGroup[] = [];
    for (const plan of planScalingGroups(args, Object.keys(args.subnets))) {
      const before = made.at(-1);
      const turn = this.turnAfter(before, template, args);
      const group = this.makeGroup(name, plan, instanceType, { template, turn }, args);
      made.push({ plan, group });
    }
    const ended = this.turnAfter(made.at(-1), template, args).apply(() =>
      this.forgetReplaced(template, args),
    );
    const names = made.map(({ plan, group }) => [plan.key, group.name] as const);
    // They wait for what has secrets, and are none.
    this.groupNames = pulumi.unsecret(
      pulumi.all([pulumi.output(Object.fromEntries(names)), ended]).apply(([known]) => known),
    );
    this.registerOutputs({ groupNames: this.groupNames });
  }

  private makeGroup(
    name: string,
    plan: ScalingGroupPlan,
    instanceType: string,
    { template, turn }: { template: aws.ec2.LaunchTemplate; turn: RefreshTurn },
    args: AutoScalingWorkerPoolArgs,
  ): aws.autoscaling.Group {
    const { clusterAutoscaler = false, protectFromScaleIn = false } = args;
    // A version number instead of "$Latest", because a new number starts a refresh.
    const version = template.latestVersion.apply(String);
    const mix = planMachineMix(args, instanceType, plan.onDemandBaseSize, {
      launchTemplateId: template.id,
      version,
    });
    const group = new aws.autoscaling.Group(
      `${name}-${plan.key}`,
      {
        minSize: plan.minSize,
        maxSize: plan.maxSize,
        desiredCapacity: plan.desiredSize,
        vpcZoneIdentifiers: plan.zoneKeys.map((key) => subnetIn(args.subnets, key)),
        ...(mix === undefined
          ? { launchTemplate: { id: template.id, version } }
          : { mixedInstancesPolicy: mix }),
        // None are said too: of what is left out, the AWS provider keeps what was set before.
        targetGroupArns: Object.values(args.targets ?? {}).map(
          ({ targetGroupArn }) => targetGroupArn,
        ),
        // EC2's own checks always count. Naming them takes another one away again.
        healthCheckType: args.replaceOnVolumeFault === true ? "EBS" : "EC2",
        healthCheckGracePeriod: args.healthCheckGraceSeconds ?? 300,
        capacityRebalance: args.capacityRebalance ?? false,
        ...(args.maxInstanceLifetimeDays !== undefined && {
          maxInstanceLifetime: args.maxInstanceLifetimeDays * 86_400,
        }),
        protectFromScaleIn,
        // By force AWS ends machines at once, also protected ones, whatever a lifecycle hook says.
        forceDelete: protectFromScaleIn && args.drainSeconds === undefined,
        // It ends machines to rebalance zones, whatever runs on them.
        ...(clusterAutoscaler &&
          plan.zoneKeys.length > 1 && { suspendedProcesses: ["AZRebalance"] }),
        ...planRefresh(args),
        tags: groupTags(`${name}-${plan.key}`, args),
      },
      {
        parent: this,
        protect: args.protect ?? false,
        dependsOn: turn,
        ignoreChanges: clusterAutoscaler ? ["desiredCapacity"] : [],
        ...(args.drainSeconds !== undefined && {
          customTimeouts: { delete: `${args.drainSeconds + DELETE_TIMEOUT_SECONDS}s` },
        }),
      },
    );
    if (args.drainSeconds !== undefined) {
      new aws.autoscaling.LifecycleHook(
        `${name}-${plan.key}-drain`,
        {
          autoscalingGroupName: group.name,
          lifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
          heartbeatTimeout: args.drainSeconds,
          defaultResult: "CONTINUE",
        },
        // AWS deletes it with its group. Deleted before, it would hold no machine of a removed pool.
        { parent: this, deletedWith: group },
      );
    }
    return group;
  }

  /**
   * What the next group waits for: nothing, unless the pool has machines of an older version. So a
   * new pool is created all at once. A preview doesn't wait.
   *
   * @param before the group before; undefined for the first
   */
  private turnAfter(
    before: MadeGroup | undefined,
    template: aws.ec2.LaunchTemplate,
    args: AutoScalingWorkerPoolArgs,
  ): RefreshTurn {
    if (args.refresh === "none" || pulumi.runtime.isDryRun()) {
      return pulumi.output<pulumi.Resource[]>([]);
    }
    const options = { parent: this };
    return pulumi
      .all([template.id, template.latestVersion])
      .apply(async ([templateId, latest]) => {
        const query = { templateId, version: String(latest) };
        const { old } = await findPoolMachines(query, options);
        return { query, old };
      })
      .apply(({ query, old }): RefreshTurn => {
        if (old.length === 0) {
          return pulumi.output([]);
        }
        return before === undefined
          ? pulumi.output(args.kubernetes).apply(async (kubernetes) => {
              await markReplaced(kubernetes, query.templateId, old);
              return [...(args.refreshDependsOn ?? [])];
            })
          : this.afterRefresh(before, query, args);
      });
  }

  /** Has Kubernetes forget machines that AWS has replaced, also in a run that was killed. */
  private forgetReplaced(
    template: aws.ec2.LaunchTemplate,
    args: AutoScalingWorkerPoolArgs,
  ): pulumi.Output<void> {
    if (args.refresh === "none" || pulumi.runtime.isDryRun()) {
      return pulumi.output(undefined);
    }
    return pulumi
      .all([template.id, args.kubernetes])
      .apply(([templateId, kubernetes]) =>
        removeReplaced(kubernetes, templateId, (addresses) =>
          machinesAt(addresses, {}, { parent: this }),
        ),
      );
  }

  private afterRefresh(
    { plan, group }: MadeGroup,
    query: { readonly templateId: string; readonly version: string },
    args: AutoScalingWorkerPoolArgs,
  ): RefreshTurn {
    const subnetIds = plan.zoneKeys.map((key) => subnetIn(args.subnets, key));
    return pulumi
      .all([group.name, pulumi.all(subnetIds), args.kubernetes])
      .apply(async ([groupName, subnets, kubernetes]) => {
        const progress = {
          report: (line: string) => void logBeside(this, line, { ephemeral: true }),
          warn: (line: string) => void logBeside(this, line, { severity: "warn" }),
        };
        await orFailRun(this, () =>
          tellingTheEnd(progress, `${groupName}: all machines are replaced`, ({ report, warn }) =>
            awaitRefresh({
              groupName,
              drain: kubernetes && new OldMachinesDrain(kubernetes, groupName, warn),
              find: () => findPoolMachines({ ...query, subnetIds: subnets }, { parent: this }),
              nodes: nodesSeenBy(kubernetes),
              timeoutSeconds: args.refreshTimeoutSeconds ?? DEFAULT_REFRESH_TIMEOUT_SECONDS,
              report,
            }),
          ),
        );
        return [group];
      });
  }
}

/** What a group waits for before it is made or changed. */
type RefreshTurn = pulumi.Output<pulumi.Resource[]>;

/** The group's own tags. Its machines get those of them that are marked for machines. */
function groupTags(
  groupName: string,
  { clusterName, tags = {}, clusterAutoscaler = false, ...template }: AutoScalingWorkerPoolArgs,
): pulumi.Output<aws.types.input.autoscaling.GroupTag[]> {
  return pulumi.all([clusterName, tags]).apply(([cluster, more]) => {
    const own = {
      Name: groupName,
      [clusterTag(cluster)]: "owned",
      ...(clusterAutoscaler ? planAutoscalerTags(cluster, template) : {}),
    };
    return Object.entries({ ...own, ...more }).map(([key, value]) => ({
      key,
      value,
      propagateAtLaunch: key in more,
    }));
  });
}
