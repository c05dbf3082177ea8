import * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import { orFailRun } from "../../failRun";
import { DEFAULT_INSTANCE_TYPE } from "../../machines/machineSettings";
import { whenOffered } from "../../machines/whenOffered";
import { refuse, withUnknownArguments } from "../../problems";
import { AutoScalingWorkerPool } from "../../workers/autoScalingWorkerPool";
import { zonesOfMachines } from "../../workers/checkWorkers";
import { withGpuTaint } from "../../workers/nvidiaGpu";
import { WorkerPool } from "../../workers/workerPool";
import type {
  AutoScalingClusterWorkerPoolArgs,
  FixedClusterWorkerPoolArgs,
} from "../arguments/clusterWorkersArgs";
import { type ClusterNode, toNode } from "../clusterOutputs";
import { makeMachineRole } from "../makers/makeMachineRole";
import { makePoolConfiguration, onlyImage, typesOf } from "../makers/makePoolBasis";
import { planMachineRole } from "../plan/planClusterRoles";
import {
  checkJoinedPool,
  joinedZoneKeys,
  NO_ADMINISTRATION,
  UNKNOWN_ADDRESSES,
} from "./checkJoinedPool";
import type { ClusterJoin } from "./clusterJoin";
import type { JoinedWorkerPoolArgs } from "./joinedWorkerPoolArgs";
import { dependenciesOf } from "./makeJoin";
import { isWritten, readJoin } from "./readJoin";

type Basis = ReturnType<JoinedWorkerPool["makeBasis"]>;

const TYPE = "talos-aws:index:JoinedWorkerPool";

/**
 * A pool of workers that joins a `TalosCluster` of another component, team or stack, with the settings of a pool in
 * `TalosCluster.workerPools`. Its machines are in the cluster's network and security group, so firewall rules are the cluster's. It makes
 * its own IAM role, by default the least one.
 *
 * The cluster comes first: bring it up before this pool in each upgrade and in each stage of a rotation. Destroy this pool before the
 * cluster, whose network can't be deleted while these machines are in it. The cluster's health check waits for none of them, and this
 * pool's own update does.
 *
 * @throws pulumi.InputPropertiesError that lists all problems of the arguments
 */
export class JoinedWorkerPool extends pulumi.ComponentResource {
  /** The machines of a fixed pool, in the order of their keys. */
  readonly nodes: pulumi.Output<ClusterNode[]>;
  /** Names of auto scaling groups by the key of their zone, or by `all`. */
  readonly autoScalingGroupNames: pulumi.Output<Record<string, string>>;

  constructor(name: string, given: JoinedWorkerPoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const problems = checkJoinedPool(name, given);
    refuse(`the worker pool "${name}"`, withUnknownArguments(TYPE, given, problems));
    super(TYPE, name, {}, opts);
    const args = withGpuTaint(given);
    const basis = this.makeBasis(name, args);
    const { cluster, protect, applyTimeoutSeconds, applySettledSeconds, ...pool } = args;
    if (pool.autoScaling === undefined) {
      const { machines } = this.makeFixed(name, pool, args, basis);
      this.nodes = pulumi.all(Object.values(machines).map((machine) => toNode(machine, name)));
      this.autoScalingGroupNames = pulumi.output<Record<string, string>>({});
    } else {
      const ofAddOns = isWritten(cluster) ? addOnsOf(cluster, pool) : {};
      this.nodes = pulumi.output([]);
      this.autoScalingGroupNames = this.makeScaling(name, pool, ofAddOns, basis).groupNames;
    }
    this.registerOutputs({
      nodes: this.nodes,
      autoScalingGroupNames: this.autoScalingGroupNames,
    });
  }

  private makeBasis(name: string, args: JoinedWorkerPoolArgs) {
    const child = { parent: this };
    const { subnets: tier = "public", instanceType = DEFAULT_INSTANCE_TYPE } = args;
    const zoneKeys = joinedZoneKeys(args) ?? [];
    const join = readJoin(args.cluster, tier, zoneKeys);
    const here = dependenciesOf(args.cluster);
    const { images, configuration } = makePoolConfiguration(
      name,
      args,
      {
        talosVersion: join.configuration.talosVersion,
        shared: join.configuration,
        workers: { machineConfiguration: join.options, patches: join.patches },
        plannedSettings: join.configuration.plannedSettings,
      },
      child,
    );
    const image = onlyImage(images);
    const { profile } = makeMachineRole(
      name,
      planMachineRole(name, args.role),
      { machines: "worker", clusterName: join.clusterName, tags: args.tags },
      child,
    );
    const zones =
      args.autoScaling === undefined ? zonesOfMachines({ ...args, zoneKeys }) : zoneKeys;
    const machines = defined({
      clusterName: join.clusterName,
      subnets: Object.fromEntries(
        zoneKeys.map((key) => [key, { id: this.subnetId(join, tier, key) }]),
      ),
      publicAddresses: tier === "public",
      instanceType,
      imageId:
        args.autoScaling?.instanceRequirements === undefined
          ? whenOffered(image.imageId, { types: typesOf("", args), zones }, { parent: image })
          : image.imageId,
      securityGroupId: join.securityGroupId,
      instanceProfileName: profile,
      machineConfiguration: configuration.machineConfiguration,
      protect: args.protect,
      tags: args.tags,
    });
    const options = { ...child, dependsOn: here === undefined ? [] : [...here.bootDependsOn] };
    return { join, here, configuration, machines, options };
  }

  private makeFixed(
    name: string,
    pool: Omit<FixedClusterWorkerPoolArgs, "ingress">,
    { applyTimeoutSeconds, applySettledSeconds }: JoinedWorkerPoolArgs,
    { join, here, configuration, machines, options }: Basis,
  ): WorkerPool {
    const { administration, apiGroupId, acceptedChanges } = join;
    if (administration === undefined) {
      throw new Error(NO_ADMINISTRATION);
    }
    const { talosEndpoint, controlPlanes, controlPlaneEndpoint } = administration;
    const credentials = this.judged(administration.credentials, isThere, NO_ADMINISTRATION);
    return new WorkerPool(
      name,
      defined({
        ...pool,
        ...machines,
        drain: defined({ ...pool.drain, controlPlanes, endpoint: controlPlaneEndpoint }),
        deletedWith: here?.secrets,
        credentials,
        endpoint: talosEndpoint,
        redactedConfiguration: configuration.redactedConfiguration,
        revision: configuration.revision,
        machineRevisions: configuration.machineRevisions,
        publicApiGroupId: apiGroupId,
        configurationDependsOn: here?.configurationDependsOn,
        applyTimeoutSeconds,
        applySettledSeconds,
        acceptedChanges,
      }),
      options,
    );
  }

  private makeScaling(
    name: string,
    { autoScaling, ...pool }: Omit<AutoScalingClusterWorkerPoolArgs, "ingress">,
    ofAddOns: Partial<ReturnType<typeof addOnsOf>>,
    { join, here, machines, options }: Basis,
  ): AutoScalingWorkerPool {
    const { subnets: tier = "public" } = pool;
    const securityGroupId =
      tier === "public"
        ? pulumi
            .all([
              machines.securityGroupId,
              this.judged(join.admitsUnknownAddresses, (admits) => admits, UNKNOWN_ADDRESSES),
            ])
            .apply(([id]) => id)
        : machines.securityGroupId;
    return new AutoScalingWorkerPool(
      name,
      defined({
        ...pool,
        ...machines,
        securityGroupId,
        ...ofAddOns,
        ...autoScaling,
        refreshDependsOn: here?.configurationDependsOn,
        kubernetes: join.administration?.kubernetes,
      }),
      options,
    );
  }

  /** A value that the cluster's stack tells, which may be known too late for the checks of arguments. */
  private judged<Value>(
    value: pulumi.Input<Value>,
    isFine: (value: Value) => boolean,
    reason: string,
  ): pulumi.Output<Value> {
    return pulumi.output(value).apply((known) =>
      orFailRun(this, () => {
        if (!isFine(known as Value)) {
          throw new Error(reason);
        }
        return known as Value;
      }),
    );
  }

  private subnetId(
    { subnets }: Pick<ClusterJoin, "subnets">,
    tier: keyof ClusterJoin["subnets"],
    zoneKey: string,
  ): pulumi.Output<string> {
    const reason = `zones: the cluster's network has no ${tier} subnet in "${zoneKey}": take one of its zones`;
    const id: pulumi.Input<string | undefined> = subnets[tier][zoneKey];
    return this.judged(id, isThere, reason) as pulumi.Output<string>;
  }
}

/** How a group works with the cluster's add-ons. */
function addOnsOf(
  { drainSeconds, options }: ClusterJoin,
  { machineConfiguration: own }: Pick<AutoScalingClusterWorkerPoolArgs, "machineConfiguration">,
) {
  const byOption = own?.externalCloudProvider ?? options.externalCloudProvider;
  return defined({ drainSeconds, clusterAutoscaler: byOption !== undefined });
}

function isThere(value: unknown): boolean {
  return value !== undefined;
}
