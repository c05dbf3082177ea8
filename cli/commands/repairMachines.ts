import type { Stack } from "@pulumi/pulumi/automation";
import { renderText } from "../../preview";
import { messageOfError } from "../../provider/base";
import { CommandFailure } from "../commandFailure";
import { isAgreed } from "../confirm";
import { previewStack } from "../engine/previewStack";
import { shownStack } from "../engine/shownStack";
import {
  describePlan,
  exitCodeOf,
  planAsJson,
  REPAIR_EXIT_CODES,
} from "../machineRepair/describePlan";
import { strangeChanges, unfinishedReplacements } from "../machineRepair/fixedReplacement";
import { lookAtMachines, openSources } from "../machineRepair/lookAtMachines";
import { type MachineRepairPlan, type RepairBudget } from "../machineRepair/planMachineRepair";
import type { FactSources } from "../machineRepair/readClusterFacts";
import { blockedDrain, release, repairInGroup } from "../machineRepair/repairInGroup";
import type { WorkerFacts } from "../machineRepair/workerFacts";
import { nameOf } from "../repair/pendingOperations";
import { notes, output } from "../standardStreams";

export interface MachineRepairOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  /** The output with the cluster, if the stack has several. */
  readonly cluster: string | undefined;
  readonly budget: RepairBudget;
  /** How long the drain of a group's machine may take. Seconds. */
  readonly drainSeconds: number;
  readonly signal: AbortSignal;
  /** The time. Default: the computer's. */
  readonly now?: () => Date;
}

/**
 * Replaces broken workers, within the budget.
 *
 * @returns the exit code
 * @throws CommandFailure if something fails, or a person must decide first
 */
export async function repairMachines(stack: Stack, options: MachineRepairOptions): Promise<number> {
  const { signal, cluster } = options;
  const run = new MachineRepair(stack, options);
  const finished = await run.finishInterrupted(await openSources(stack, cluster, signal));
  return finished === "finished" || finished === "nothing"
    ? run.repair(await openSources(stack, cluster, signal))
    : finished;
}

class MachineRepair {
  private readonly say: (line: string) => void;
  private readonly now: () => Date;
  private readonly color: "always" | "never";

  constructor(
    private readonly stack: Stack,
    private readonly options: MachineRepairOptions,
  ) {
    this.say = options.json ? notes.line : output.line;
    this.now = options.now ?? (() => new Date());
    this.color = output.terminal.color && !options.json ? "always" : "never";
  }

  /**
   * Ends the replacement of fixed machines that a run before has begun.
   *
   * @returns the exit code if this run has to end then
   */
  async finishInterrupted({ resources }: FactSources): Promise<"nothing" | "finished" | number> {
    const { dryRun, signal } = this.options;
    const left = unfinishedReplacements(resources).map(({ urn }) => urn);
    if (left.length === 0) {
      return "nothing";
    }
    const names = left.map(nameOf).join(", ");
    const { summary, changed } = await previewStack(this.stack, { color: this.color, signal });
    const strange = strangeChanges(changed, left, resources);
    if (strange.length > 0) {
      throw new CommandFailure(
        `the replacement of ${names} was interrupted, and the next update would also change ${strange.join(", ")}: run "talos-aws up ${this.stack.name}"`,
        REPAIR_EXIT_CODES.held,
      );
    }
    this.say(`The replacement of ${names} was interrupted. It goes on:`);
    this.say(renderText(summary, { color: this.color === "always" }));
    if (dryRun) {
      return REPAIR_EXIT_CODES.done;
    }
    if (!(await this.isAgreed())) {
      return 1;
    }
    await this.up({});
    return "finished";
  }

  /** @returns the exit code */
  async repair(sources: FactSources): Promise<number> {
    const { dryRun, json } = this.options;
    const { plan, isKnown } = await this.look(sources);
    describePlan(plan).forEach(this.say);
    const outcomes: Record<string, string> = {};
    let exitCode = exitCodeOf(plan, isKnown);
    if (!dryRun) {
      const failed = await this.carryOut(plan, sources, outcomes);
      exitCode = failed ?? exitCode;
    }
    if (json) {
      const shown = { ...planAsJson(this.stack.name, plan, this.now()), outcomes, exitCode };
      output.line(JSON.stringify(shown, undefined, 2));
    }
    return exitCode;
  }

  /** @returns an exit code if not all of the plan was done */
  private async carryOut(
    plan: MachineRepairPlan,
    sources: FactSources,
    outcomes: Record<string, string>,
  ): Promise<number | undefined> {
    const released = workersOf(plan, "release");
    const broken = workersOf(plan, "repair");
    const inGroups = broken.filter(({ means }) => means.kind === "group");
    const fixed = broken.filter(({ means }) => means.kind === "fixed");
    const strange = fixed.length === 0 ? [] : await this.otherChanges();
    const blocked =
      strange.length === 0 ? await this.blockedOf(fixed, sources) : new Map<WorkerFacts, string>();
    const ready = strange.length === 0 ? fixed.filter((each) => !blocked.has(each)) : [];
    const tell = ({ name }: WorkerFacts, outcome: string) => {
      outcomes[name] = outcome;
      this.say(`${name}: ${outcome}`);
    };
    const isHeld = strange.length > 0 || blocked.size > 0;
    blocked.forEach((because, each) =>
      tell(
        each,
        `held back: ${because} can't be evicted: give the workload more replicas or loosen its budget; the next run looks again`,
      ),
    );
    if (strange.length > 0) {
      const because = `held back: an update would also change ${strange.join(", ")}, so run "talos-aws up ${this.stack.name}" first`;
      fixed.forEach((each) => tell(each, because));
    }
    if (released.length + inGroups.length + ready.length === 0) {
      return isHeld ? REPAIR_EXIT_CODES.held : undefined;
    }
    if (ready.length > 0) {
      const replace = urnsOf(ready);
      const { summary } = await previewStack(this.stack, {
        replace,
        color: this.color,
        signal: this.options.signal,
      });
      this.say(renderText(summary, { color: this.color === "always" }));
    }
    if (!(await this.isAgreed())) {
      return 1;
    }
    for (const worker of released) {
      await release(worker, this.reach(sources));
      tell(worker, "its node takes pods again");
    }
    let isBlocked = false;
    for (const worker of inGroups) {
      if (!(await this.isStillBroken(worker, sources))) {
        tell(worker, "it changed meanwhile, so nothing was done");
        continue;
      }
      try {
        await repairInGroup(worker, this.reach(sources));
        tell(worker, "its group replaces it; the next run looks at its successor");
      } catch (error) {
        isBlocked = true;
        tell(worker, `not replaced: ${messageOfError(error)}`);
      }
    }
    const still: WorkerFacts[] = [];
    for (const worker of ready) {
      if (await this.isStillBroken(worker, sources)) {
        still.push(worker);
      } else {
        tell(worker, "it changed meanwhile, so nothing was done");
      }
    }
    if (still.length > 0) {
      await this.up({ replace: urnsOf(still) });
      still.forEach((worker) => tell(worker, "replaced"));
    }
    return isHeld || isBlocked ? REPAIR_EXIT_CODES.held : undefined;
  }

  /** The fixed machines whose pods a budget keeps, with the pods. Without the drain, a successor would stay beside each. */
  private async blockedOf(
    fixed: readonly WorkerFacts[],
    sources: FactSources,
  ): Promise<ReadonlyMap<WorkerFacts, string>> {
    const found = new Map<WorkerFacts, string>();
    for (const worker of fixed) {
      const reach = this.reach(sources);
      const because = await blockedDrain(worker, reach, sources.resources, this.options.signal);
      if (because !== undefined) {
        found.set(worker, because);
      }
    }
    return found;
  }

  /** Names of what an update would change without any replacement. */
  private async otherChanges(): Promise<readonly string[]> {
    notes.line(`Previewing ${this.stack.name} …`);
    const { changed } = await previewStack(this.stack, {
      color: this.color,
      signal: this.options.signal,
    });
    return [...changed].map(nameOf);
  }

  /** Minutes may have passed: a person was asked, or another machine was drained. */
  private async isStillBroken({ instanceId }: WorkerFacts, sources: FactSources): Promise<boolean> {
    const { plan } = await this.look(sources);
    return workersOf(plan, "repair").some((each) => each.instanceId === instanceId);
  }

  private look(sources: FactSources) {
    const { budget, signal } = this.options;
    return lookAtMachines(sources, budget, this.now(), signal);
  }

  private reach({ access, aws }: FactSources) {
    const progress = { report: notes.line, warn: (line: string) => notes.line(`warning: ${line}`) };
    return { access, aws, progress, drainSeconds: this.options.drainSeconds };
  }

  private isAgreed(): Promise<boolean> {
    return isAgreed(`Repair these machines of ${this.stack.name}?`, this.options.yes);
  }

  private async up(what: { readonly replace?: string[] }): Promise<void> {
    const { json, signal } = this.options;
    const onOutput = json ? (text: string) => process.stderr.write(text) : output.write;
    await shownStack(this.stack).up({ ...what, color: this.color, signal, onOutput });
  }
}

function workersOf(
  { machines }: MachineRepairPlan,
  kind: "repair" | "release",
): readonly WorkerFacts[] {
  return machines.flatMap(({ worker, verdict }) => (verdict.kind === kind ? [worker] : []));
}

function urnsOf(workers: readonly WorkerFacts[]): string[] {
  return workers.flatMap(({ means }) => (means.kind === "fixed" ? (means.urn ?? []) : []));
}
