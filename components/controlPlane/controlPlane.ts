import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { MachineTurn } from "../../provider";
import { defined } from "../defined";
import { letReachApi } from "../firewall/letReachApi";
import { isStoppedState } from "../machines/describeStopped";
import { checkEtcdVolume } from "../machines/etcdVolume";
import { controlPlaneTypeProblem } from "../machines/instanceType";
import { checkMachineSettings, DEFAULT_INSTANCE_TYPE } from "../machines/machineSettings";
import { machineZone } from "../machines/machineZone";
import { machineTags, makeMachine } from "../machines/makeMachine";
import type { MachinePlan } from "../machines/spreadMachines";
import { StopTurns, withHooks } from "../machines/stopTurns";
import { noteStopped, StoppedMachines } from "../machines/stoppedMachines";
import { judge, misspeltArguments, type PropertyProblem, refuse } from "../problems";
import type { ControlPlaneArgs } from "./controlPlaneArgs";
import { checkMachines, planMachines } from "./planMachines";

/** Survives the loss of one machine. */
export const DEFAULT_MACHINE_COUNT = 3;

/** A machine of a control plane. */
export interface ControlPlaneMachine {
  /** Name within the stack, for example `talos-control-plane-1`. */
  readonly name: string;
  /** Id of the EC2 instance. */
  readonly instanceId: pulumi.Output<string>;
  /** ARN of the EC2 instance: for `ConsoleArgs`. */
  readonly instanceArn: pulumi.Output<string>;
  /** Empty without a public address. */
  readonly publicAddress: pulumi.Output<string>;
  /** The public address if it is fixed. It is known before the machine exists. */
  readonly fixedAddress: pulumi.Output<string> | undefined;
  /** Its address within the network. */
  readonly privateAddress: pulumi.Output<string>;
  /** The availability zone. */
  readonly zone: pulumi.Output<string>;
  /** Whether it was stopped when EC2 was last asked: in a refresh, or when it was changed. */
  readonly isStopped: pulumi.Output<boolean>;
  /**
   * Resources that let the machine serve and reach the Kubernetes API through the load balancer.
   */
  readonly reachability: readonly pulumi.Resource[];
}

const TYPE = "talos-aws:index:ControlPlane";

/**
 * The machines of a Talos control plane. They boot the image and wait for their configuration.
 * There is no SSH key and no port 22, because Talos has no shell.
 *
 * @throws pulumi.InputPropertiesError for an even number of machines, an instance type that can't
 * boot Talos, or an unknown zone
 */
export class ControlPlane extends pulumi.ComponentResource {
  /** By key, `1` to `5`, in order. */
  readonly machines: Readonly<Record<string, ControlPlaneMachine>>;

  private readonly stopTurns: StopTurns | undefined;
  private readonly stopped: StoppedMachines;

  constructor(name: string, args: ControlPlaneArgs, opts?: pulumi.ComponentResourceOptions) {
    const choices = {
      machineCount: args.machineCount ?? DEFAULT_MACHINE_COUNT,
      zoneKeys: Object.keys(args.subnets),
      machines: args.machines,
    };
    const instanceType = judge(
      "instanceType",
      args.instanceType ?? DEFAULT_INSTANCE_TYPE,
      controlPlaneTypeProblem,
    );
    refuse(`the control plane "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...checkMachines(choices),
      ...instanceType.problems,
      ...checkMachineSettings(args),
      ...checkEtcdVolume(args.etcdVolume),
      ...checkFixedAddresses(args),
    ]);
    super(TYPE, name, {}, opts);

    this.stopped = new StoppedMachines(name, this, args);
    this.stopTurns = stopTurnsOf(name, args, this, this.stopped);
    const machines: (readonly [string, ControlPlaneMachine])[] = [];
    const type = instanceType.valueFor(this);
    for (const plan of planMachines(choices)) {
      const before = machines.at(-1)?.[1];
      machines.push([plan.key, this.makeMachine(name, plan, type, args, before)]);
    }
    this.machines = Object.fromEntries(machines);
    this.registerOutputs({ instanceIds: machines.map(([, { instanceId }]) => instanceId) });
  }

  private makeMachine(
    name: string,
    plan: MachinePlan,
    instanceType: pulumi.Output<string>,
    args: ControlPlaneArgs,
    before: ControlPlaneMachine | undefined,
  ): ControlPlaneMachine {
    const machineName = `${name}-${plan.key}`;
    const subnet = args.subnets[plan.zoneKey];
    if (subnet === undefined) {
      throw new Error(`there is no zone "${plan.zoneKey}" to make ${machineName} in`);
    }
    const { publicAddresses = true, userData } = args;
    const fixed = args.fixedAddresses === true ? this.makeAddress(machineName, args) : undefined;
    const turn = this.makeTurn(machineName, instanceType, args, before);
    const instance = makeMachine(
      machineName,
      defined({
        ...args,
        instanceType,
        subnetId: subnet.id,
        securityGroupIds: [args.securityGroupId],
        // A machine with a fixed address first gets another one. Otherwise each refresh would find
        // an address that the machine was not created with, and replace it.
        publicAddress: publicAddresses,
        userDataBase64: userData?.({ key: plan.key, fixedAddress: fixed?.publicIp }),
        replacement: args.machines?.[plan.key]?.replacement,
        staysInSubnet: !plan.zoneIsChosen,
      }),
      {
        parent: this,
        protect: args.protect ?? false,
        ...(turn !== undefined && { dependsOn: turn }),
        ...withHooks(this.stopTurns?.hooksOf(machineName, fixed?.publicIp)),
      },
    );
    const association =
      fixed === undefined
        ? []
        : [
            new aws.ec2.EipAssociation(
              machineName,
              { allocationId: fixed.allocationId, instanceId: instance.id },
              { parent: this },
            ),
          ];
    noteStopped(machineName, instance);
    this.stopped.add({ name: machineName, instanceId: instance.id });
    const publicAddress = fixed?.publicIp ?? instance.publicIp;
    return {
      name: machineName,
      instanceId: instance.id,
      instanceArn: instance.arn,
      publicAddress,
      fixedAddress: fixed?.publicIp,
      privateAddress: instance.privateIp,
      zone: machineZone(machineName, instance, args.networkZones),
      isStopped: instance.instanceState.apply(isStoppedState),
      reachability: [
        ...association,
        ...this.makeReachable(machineName, { instance, publicAddress }, args),
      ],
    };
  }

  private makeAddress(machineName: string, args: ControlPlaneArgs): aws.ec2.Eip {
    return new aws.ec2.Eip(
      machineName,
      { domain: "vpc", tags: machineTags(machineName, defined(args)) },
      { parent: this, protect: args.protect ?? false },
    );
  }

  /** Makes a disruptive change of the machine wait until the machine before it is healthy. */
  private makeTurn(
    machineName: string,
    instanceType: pulumi.Output<string>,
    { turns, publicAddresses = true }: ControlPlaneArgs,
    before: ControlPlaneMachine | undefined,
  ): MachineTurn | undefined {
    if (turns === undefined || before === undefined) {
      return undefined;
    }
    const isForwarded = turns.endpoint !== undefined || !publicAddresses;
    return new MachineTurn(
      `${machineName}-turn`,
      defined({
        node: isForwarded ? before.privateAddress : before.publicAddress,
        endpoint: turns.endpoint,
        credentials: turns.credentials,
        triggers: [instanceType, before.instanceId],
      }),
      { parent: this, ...this.stopped.hooks() },
    );
  }

  private makeReachable(
    machineName: string,
    {
      instance,
      publicAddress,
    }: {
      readonly instance: aws.ec2.Instance;
      readonly publicAddress: pulumi.Output<string>;
    },
    args: ControlPlaneArgs,
  ): pulumi.Resource[] {
    const child = { parent: this };
    const attachments = Object.entries(args.targets ?? {}).map(
      ([key, target]) =>
        new aws.lb.TargetGroupAttachment(
          `${machineName}-${key}`,
          { ...target, targetId: instance.id },
          child,
        ),
    );
    if (args.publicApiGroupId === undefined || args.publicAddresses === false) {
      return attachments;
    }
    const { publicApiGroupId } = args;
    const addresses = { publicAddress, privateAddress: instance.privateIp };
    const rule = letReachApi(machineName, addresses, { ...args, publicApiGroupId }, child);
    return [...attachments, rule];
  }
}

/** How machines are stopped for a change, if they are drained. */
function stopTurnsOf(
  name: string,
  { turns, publicAddresses = true }: ControlPlaneArgs,
  owner: ControlPlane,
  stopped: StoppedMachines,
): StopTurns | undefined {
  return turns?.drain === undefined
    ? undefined
    : new StopTurns(
        defined({
          name,
          isControlPlane: true,
          mostAway: 1,
          credentials: turns.credentials,
          drain: turns.drain,
          endpoint: turns.endpoint,
          isPublic: publicAddresses,
          owner,
          stopped,
        }),
      );
}

function checkFixedAddresses(args: ControlPlaneArgs): PropertyProblem[] {
  const reason = `machines without public addresses can't keep one: leave this out, or publicAddresses`;
  return args.fixedAddresses === true && args.publicAddresses === false
    ? [{ property: "fixedAddresses", reason }]
    : [];
}
