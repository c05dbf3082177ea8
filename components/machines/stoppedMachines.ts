import { AsyncResource } from "node:async_hooks";
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { inBatches } from "../../provider/base";
import { clusterTag } from "../clusterTag";
import { logBeside } from "../logBeside";
import { onceKnown } from "../onceKnown";
import {
  describeStopped,
  isStoppedState,
  STOPPED_STATES,
  type StoppedMachine,
  wayToStart,
} from "./describeStopped";
import { hasHooks } from "./hasHooks";
import { isRefusedInPreview, neededMachines } from "./neededMachines";

/** A machine whose steps need it to be on. */
export interface NamedMachine {
  readonly name: string;
  readonly instanceId: pulumi.Input<string>;
}

/** Machines that a step of one of them needs all: those of a control plane. */
export interface MachinesTogether {
  readonly clusterName: pulumi.Input<string>;
  readonly securityGroupId: pulumi.Input<string>;
}

type Filters = { name: string; values: string[] }[];

/** A filter of EC2's takes 200 values. */
const MOST_AT_ONCE = 200;

/** Machines that this program stops and starts at the moment, by instance id. */
export const ownStops = new Set<string>();

/**
 * Ends a step at once that needs a machine which is stopped in EC2, or which EC2 no longer has.
 * Otherwise it would wait for its whole time limit. EC2 is asked when such a step begins, also in a
 * preview, and only then: so steps that need no stopped machine go on. Needs
 * `ec2:DescribeInstances`.
 *
 * See `isRefusedInPreview` for the steps that only an update refuses.
 */
export class StoppedMachines {
  /** Names by the ids that are known so far. Waiting for all of them could last forever. */
  private readonly names = new Map<string, string>();
  private readonly hook: pulumi.ResourceHook | undefined;
  /** The engine calls hooks outside of the program, where nothing knows which engine to ask. */
  private readonly program = new AsyncResource("StoppedMachines");
  private readonly isPreview = pulumi.runtime.isDryRun();

  /**
   * @param name is unique in the stack
   * @param owner to find the AWS provider
   * @param together default: each step needs its own machine, and the cluster's health those added
   */
  constructor(
    name: string,
    private readonly owner: pulumi.Resource,
    private readonly together?: MachinesTogether,
  ) {
    this.hook = hasHooks()
      ? new pulumi.ResourceHook(`${name}-stopped`, (step) => this.look(step), { onDryRun: true })
      : undefined;
  }

  /** Adds a machine that steps may need. */
  add({ name, instanceId }: NamedMachine): void {
    pulumi.output(instanceId).apply((id) => this.names.set(id, name));
  }

  /** Options of a resource with such steps; see `neededMachines`. */
  hooks(): Pick<pulumi.CustomResourceOptions, "hooks"> {
    const { hook } = this;
    return hook === undefined ? {} : { hooks: { beforeCreate: [hook], beforeUpdate: [hook] } };
  }

  /** Whether a machine is stopped, and not by this program. */
  async isStopped(instanceId: string): Promise<boolean> {
    return (await this.findStopped(byId([instanceId]))).length > 0;
  }

  /**
   * Refuses a step that needs all machines.
   *
   * @throws Error that names the stopped ones, and what to do
   */
  async refuseStopped(): Promise<void> {
    const known = [...this.names.keys()];
    refuse(await this.findStopped(...(await this.filtersOfAll())));
    refuseLost(await this.findLost(known), this.names);
  }

  private async look(step: pulumi.ResourceHookArgs): Promise<void> {
    const needed = neededMachines(step);
    if (needed === "none" || (this.isPreview && !isRefusedInPreview(step))) {
      return;
    }
    const own: unknown = step.newInputs?.machineId;
    // Without others, such as in a pool, a machine's own step needs it alone.
    if (needed === "all" && (this.together !== undefined || own === undefined)) {
      await this.refuseStopped();
    } else if (typeof own === "string" && own.startsWith("i-")) {
      refuse(await this.findStopped(byId([own])));
      refuseLost(await this.findLost([own]), this.names);
    }
  }

  private async filtersOfAll(): Promise<Filters[]> {
    const { together } = this;
    if (together === undefined) {
      return inBatches([...this.names.keys()], MOST_AT_ONCE).map(byId);
    }
    const { clusterName, securityGroupId } = together;
    const [cluster, group] = await Promise.all([
      onceKnown(clusterName),
      onceKnown(securityGroupId),
    ]);
    return [
      [
        { name: "instance.group-id", values: [group] },
        { name: `tag:${clusterTag(cluster)}`, values: ["owned"] },
      ],
    ];
  }

  private async findStopped(...filters: Filters[]): Promise<StoppedMachine[]> {
    const all = await this.idsIn(filters, STOPPED_STATES);
    const ids = [...all].filter((id) => !ownStops.has(id));
    const stopping = ids.length === 0 ? new Set() : await this.idsIn(filters, ["stopping"]);
    const found = ids.map(async (instanceId) => ({
      name: this.names.get(instanceId) ?? (await this.tagOf(instanceId)),
      instanceId,
      state: stopping.has(instanceId) ? ("stopping" as const) : ("stopped" as const),
    }));
    return (await Promise.all(found)).filter((machine) => !this.isReplaced(machine));
  }

  /** Whether another machine has taken the place of one, which the engine deletes at the end of a run. */
  private isReplaced({ name, instanceId }: StoppedMachine): boolean {
    return !this.names.has(instanceId) && [...this.names.values()].includes(name);
  }

  /** A preview may run on another account than that of the state, and finds none. */
  private async findLost(ids: readonly string[]): Promise<string[]> {
    if (this.isPreview || ids.length === 0) {
      return [];
    }
    const there = ["pending", "running", ...STOPPED_STATES];
    const found = await this.idsIn(inBatches(ids, MOST_AT_ONCE).map(byId), there);
    return ids.filter((id) => !found.has(id));
  }

  /** The name of a machine that the program hasn't come to yet. */
  private async tagOf(instanceId: string): Promise<string> {
    const { tags } = await this.program.runInAsyncScope(() =>
      aws.ec2.getInstance({ instanceId }, { parent: this.owner }),
    );
    return tags.Name ?? "a machine without a name";
  }

  private async idsIn(
    filters: readonly Filters[],
    states: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const answers = await Promise.all(
      filters.map((each) =>
        this.program.runInAsyncScope(() =>
          aws.ec2.getInstances(
            { filters: each, instanceStateNames: [...states] },
            { parent: this.owner },
          ),
        ),
      ),
    );
    return new Set(answers.flatMap(({ ids }) => ids));
  }
}

/** Says in each run which machine was stopped when EC2 was last asked: its public address is gone. */
export function noteStopped(name: string, instance: aws.ec2.Instance): void {
  pulumi.all([instance.id, instance.instanceState]).apply(([instanceId, state]) => {
    if (isStoppedState(state)) {
      const stopped = [{ name, instanceId, state }];
      const line = `${describeStopped(stopped)}, as EC2 said when it was last asked. ${wayToStart(stopped)}`;
      void logBeside(instance, line, { severity: "warn" });
    }
  });
}

function refuse(stopped: readonly StoppedMachine[]): void {
  if (stopped.length > 0) {
    const it = stopped.length === 1 ? "it" : "them";
    throw new Error(
      `${describeStopped(stopped)} in EC2, and this step needs ${it}. ${wayToStart(stopped)}`,
    );
  }
}

function refuseLost(ids: readonly string[], names: ReadonlyMap<string, string>): void {
  if (ids.length > 0) {
    const machines = ids.map((id) => `${names.get(id) ?? "the machine"} (${id})`).join(", ");
    throw new Error(
      `AWS no longer has ${machines}, which this step needs. Run the command again with --refresh: that makes another machine in its place`,
    );
  }
}

function byId(values: string[]): Filters {
  return [{ name: "instance-id", values }];
}
