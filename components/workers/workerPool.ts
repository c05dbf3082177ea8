import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { ConfigurationApply, FirstContact } from "../../provider";
import { defined } from "../defined";
import { letReachApi } from "../firewall/letReachApi";
import { machineConsole } from "../machines/machineConsole";
import { DEFAULT_INSTANCE_TYPE } from "../machines/machineSettings";
import { machineZone } from "../machines/machineZone";
import { makeMachine } from "../machines/makeMachine";
import { makeUserData } from "../machines/makeUserData";
import { makePlacementGroup } from "../machines/placement";
import { type MachinePlan, spreadMachines } from "../machines/spreadMachines";
import { StopTurns, withHooks } from "../machines/stopTurns";
import { noteStopped, StoppedMachines } from "../machines/stoppedMachines";
import { subnetIn } from "../network/subnetIn";
import { misspeltArguments, refuse } from "../problems";
import { checkFixedPool } from "./checkWorkers";
import { batchSize, DEFAULT_MAX_UNAVAILABLE } from "./maxUnavailable";
import type { WorkerPoolArgs } from "./workerPoolArgs";

/** A machine of a worker pool. */
export interface WorkerMachine {
  /** Name within the stack, for example `talos-apps-1`. */
  readonly name: string;
  /** Id of the EC2 instance. */
  readonly instanceId: pulumi.Output<string>;
  /** Empty without a public address. */
  readonly publicAddress: pulumi.Output<string>;
  /** Its address within the network. */
  readonly privateAddress: pulumi.Output<string>;
  /** The availability zone. */
  readonly zone: pulumi.Output<string>;
  /** Done when the machine is healthy with its configuration. */
  readonly configured: ConfigurationApply;
}

const TYPE = "talos-aws:index:WorkerPool";

/**
 * A fixed number of workers, each with its own key, which never changes. A failed machine stays
 * away until the next `pulumi up` that notices. New configurations and Talos releases are applied
 * in place, batch by batch (`maxUnavailable`). A recreated machine boots with the current ones.
 *
 * With `drain`, a machine's pods move before it restarts or is removed, and its node is deleted
 * with it. Without, the node stays in Kubernetes until the AWS cloud controller or a person deletes
 * it.
 *
 * @throws pulumi.InputPropertiesError that lists all problems of the arguments
 */
export class WorkerPool extends pulumi.ComponentResource {
  /** By key, from `1` on, in order. */
  readonly machines: Readonly<Record<string, WorkerMachine>>;

  private readonly turns: StopTurns | undefined;
  private readonly stopped: StoppedMachines;
  private readonly placementGroupName: pulumi.Output<string> | undefined;

  constructor(name: string, args: WorkerPoolArgs, opts?: pulumi.ComponentResourceOptions) {
    const zoneKeys = Object.keys(args.subnets);
    refuse(`the worker pool "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...checkFixedPool(args, zoneKeys),
    ]);
    super(TYPE, name, {}, opts);
    const plans = spreadMachines({ ...args, zoneKeys });
    const size = batchSize(args.maxUnavailable ?? DEFAULT_MAX_UNAVAILABLE, plans.length);
    this.stopped = new StoppedMachines(name, this);
    this.turns = turnsOf(name, size, args, this, this.stopped);
    this.placementGroupName = makePlacementGroup(name, args.placementGroup, args.tags ?? {}, {
      parent: this,
    });
    const machines: (readonly [string, WorkerMachine])[] = [];
    for (let first = 0; first < plans.length; first += size) {
      const before = machines.slice(-size).map(([, { configured }]) => configured);
      const batch = plans.slice(first, first + size);
      machines.push(
        ...batch.map((plan) => [plan.key, this.makeWorker(name, plan, before, args)] as const),
      );
    }
    this.machines = Object.fromEntries(machines);
    this.registerOutputs({ instanceIds: machines.map(([, { instanceId }]) => instanceId) });
  }

  /** @param before resources to finish before this machine changes */
  private makeWorker(
    name: string,
    plan: MachinePlan,
    before: readonly pulumi.Resource[],
    args: WorkerPoolArgs,
  ): WorkerMachine {
    const machineName = `${name}-${plan.key}`;
    const child = { parent: this };
    const { delivery = "userData", publicAddresses = true, publicApiGroupId } = args;
    const { patches, replacement } = args.machines?.[plan.key] ?? {};
    const byUserData = delivery === "userData";
    const instance = makeMachine(
      machineName,
      defined({
        ...args,
        instanceType: args.instanceType ?? DEFAULT_INSTANCE_TYPE,
        subnetId: subnetIn(args.subnets, plan.zoneKey),
        securityGroupIds: [args.securityGroupId, ...(args.moreSecurityGroupIds ?? [])],
        publicAddress: publicAddresses,
        userDataBase64: byUserData
          ? makeUserData(
              { machineConfiguration: args.machineConfiguration, patches },
              this,
              `machines["${plan.key}"].`,
            )
          : undefined,
        placementGroupName: this.placementGroupName,
        replacement,
        staysInSubnet: !plan.zoneIsChosen,
      }),
      {
        ...child,
        protect: args.protect ?? false,
        ...withHooks(this.turns?.hooksOf(machineName)),
      },
    );
    for (const [key, target] of Object.entries(args.targets ?? {})) {
      new aws.lb.TargetGroupAttachment(
        `${machineName}-${key}`,
        { ...target, targetId: instance.id },
        child,
      );
    }
    const reachability =
      publicApiGroupId === undefined || !publicAddresses
        ? []
        : [
            letReachApi(
              machineName,
              { publicAddress: instance.publicIp, privateAddress: instance.privateIp },
              { ...args, publicApiGroupId },
              child,
            ),
          ];
    noteStopped(machineName, instance);
    this.stopped.add({ name: machineName, instanceId: instance.id });
    return {
      name: machineName,
      instanceId: instance.id,
      publicAddress: instance.publicIp,
      privateAddress: instance.privateIp,
      zone: machineZone(machineName, instance, args.networkZones),
      configured: this.configure(
        { machineName, key: plan.key, patches },
        instance,
        [...reachability, ...before],
        args,
      ),
    };
  }

  private configure(
    { machineName, key, patches }: ConfiguredMachine,
    instance: aws.ec2.Instance,
    after: readonly pulumi.Resource[],
    args: WorkerPoolArgs,
  ): ConfigurationApply {
    const { endpoint } = args;
    // Inside the network, machines know each other by their private addresses.
    const isPublic = isDialled(args);
    const { delivery = "userData", credentials } = args;
    const node = isPublic ? instance.publicIp : instance.privateIp;
    const way = { machineId: instance.id, node, endpoint, credentials };
    const child = {
      parent: this,
      dependsOn: [...(args.configurationDependsOn ?? []), ...after],
      ...this.stopped.hooks(),
    };
    const { firstContact = "console" } = args;
    const console =
      delivery === "apply" && firstContact === "console"
        ? machineConsole(instance.arn, this)
        : undefined;
    const contact =
      delivery === "apply"
        ? new FirstContact(
            machineName,
            defined({ ...way, console, timeoutSeconds: args.applyTimeoutSeconds }),
            child,
          )
        : undefined;
    return new ConfigurationApply(
      machineName,
      defined({
        ...way,
        machineConfiguration: args.machineConfiguration,
        redactedConfiguration: args.redactedConfiguration,
        revision: args.revision,
        machineRevision:
          args.machineRevisions &&
          pulumi.output(args.machineRevisions).apply((counts) => counts?.[key]),
        patches,
        delivery,
        firstContact: contact?.fingerprints,
        console,
        drain: args.drain && { ...args.drain, removeNode: true },
        acceptedChanges: args.acceptedChanges,
        // Inside the network, Kubernetes knows the machine by that address.
        privateAddress: args.drain === undefined || !isPublic ? undefined : instance.privateIp,
        timeoutSeconds: args.applyTimeoutSeconds,
        settledSeconds: args.applySettledSeconds,
      }),
      {
        ...child,
        dependsOn: contact === undefined ? child.dependsOn : [...child.dependsOn, contact],
        ...(args.deletedWith && { deletedWith: args.deletedWith }),
      },
    );
  }
}

function isDialled({ endpoint, publicAddresses = true }: WorkerPoolArgs): boolean {
  return endpoint === undefined && publicAddresses;
}

/** How machines are stopped for a change, if they are drained. */
function turnsOf(
  name: string,
  mostAway: number,
  args: WorkerPoolArgs,
  owner: WorkerPool,
  stopped: StoppedMachines,
): StopTurns | undefined {
  const { drain, credentials, endpoint } = args;
  return (
    drain &&
    new StopTurns(
      defined({
        name,
        isControlPlane: false,
        mostAway,
        credentials,
        drain,
        controlPlanes: drain.controlPlanes,
        endpoint,
        controlPlaneEndpoint: drain.endpoint,
        isPublic: isDialled(args),
        owner,
        stopped,
      }),
    )
  );
}

interface ConfiguredMachine {
  readonly machineName: string;
  readonly key: string;
  readonly patches: NonNullable<WorkerPoolArgs["machines"]>[string]["patches"];
}
