import type { Stack } from "@pulumi/pulumi/automation";
import type { Command } from "commander";
import { CommandFailure } from "../commandFailure";
import { confirm, isAgreed } from "../confirm";
import { withStack } from "../engine/withStack";
import { mendBackend } from "../fileBackend/mendBackend";
import { describeRepair, undecidedProblem } from "../repair/describeRepair";
import { type Decisions, type RepairStep, UNDECIDED } from "../repair/planRepair";
import { planStackRepair } from "../repair/repairStack";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";
import { machineOptions } from "./machineRepairOptions";
import { repairMachines } from "./repairMachines";

interface RepairOptions extends StackOptions {
  readonly yes?: boolean;
  readonly adopt?: readonly string[];
  readonly forget?: readonly string[];
  readonly machines?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly cluster?: string;
  readonly afterMinutes: number;
  readonly joinMinutes: number;
  readonly mostAway: number;
  readonly drainSeconds: number;
  readonly endVolumes?: boolean;
}

export function repairCommand(): Command {
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  const command = stackCommand(
    "repair",
    "adds resources to the state that a killed run created, or replaces broken workers",
  )
    .option("-y, --yes", "does not ask for confirmation")
    .option(
      "--adopt <urn=id>",
      "the id of the object that was created for a resource; may be repeated",
      collect,
    )
    .option("--forget <urn>", "a resource for which nothing was created; may be repeated", collect)
    .addHelpText(
      "after",
      "\nExit code with --machines: 0 nothing is broken, or is being replaced; 1 something failed; 2 unknown, because Kubernetes doesn't answer; 3 a broken machine was held back.",
    )
    .action(repair);
  machineOptions().forEach((option) => command.addOption(option));
  return command;
}

async function repair(name: string, options: RepairOptions): Promise<void> {
  refuseMixed(options);
  if (options.machines === true) {
    const { cluster, drainSeconds, afterMinutes, joinMinutes, mostAway } = options;
    const { yes = false, dryRun = false, json = false, endVolumes = false } = options;
    const budget = {
      badMinutes: afterMinutes,
      joinMinutes,
      mostAwayPercent: mostAway,
      endsVolumes: endVolumes,
    };
    process.exitCode = await withStack({ stack: name, cwd: options.cwd }, async (stack, signal) =>
      !dryRun && (await repairBefore(stack, { yes, signal })) === "declined"
        ? 1
        : repairMachines(stack, { yes, dryRun, json, cluster, drainSeconds, budget, signal }),
    );
    return;
  }
  const decisions = toDecisions(options);
  await withStack({ stack: name, cwd: options.cwd }, async (stack, signal) => {
    const { yes = false } = options;
    const outcome = await repairBefore(stack, { yes, signal, decisions, isNamed: true });
    if (outcome === "whole") {
      output.line(`The last run of "${name}" is completely recorded: nothing to repair.`);
    } else if (outcome === "declined") {
      process.exitCode = 1;
    }
  });
}

/** Each option belongs to one of the two repairs. */
function refuseMixed({ machines, dryRun, json, endVolumes, adopt, forget }: RepairOptions): void {
  const isOfState = adopt !== undefined || forget !== undefined;
  if (machines === true && isOfState) {
    throw new CommandFailure("--adopt and --forget are about the state: leave --machines out", 2);
  }
  if (machines !== true && (dryRun === true || json === true || endVolumes === true)) {
    throw new CommandFailure("--dry-run, --json and --end-volumes need --machines", 2);
  }
}

/**
 * Repairs a stack after a killed run: first the files of its backend, if they are damaged, then the state,
 * after reporting what that run had created.
 *
 * @param options.isNamed whether the command is `repair`, whose `--yes` is consent to all of that. With
 *   another one, it isn't consent to an older state, or to the removal of a lock
 * @returns `whole` if there was nothing to repair, `declined` if a person refused
 * @throws CommandFailure if a person must decide first
 */
export async function repairBefore(
  stack: Stack,
  {
    yes,
    signal,
    decisions,
    isNamed = false,
  }: {
    readonly yes: boolean;
    readonly signal: AbortSignal;
    readonly decisions?: Decisions;
    readonly isNamed?: boolean;
  },
): Promise<"whole" | "repaired" | "declined"> {
  const mended = await mendBackend(stack, {
    consentsToAll: yes && isNamed,
    say: output.line,
    confirm: () => confirmMending(stack.name, yes),
  });
  if (mended === "declined") {
    notes.line("Nothing was changed.");
    return "declined";
  }
  const { steps, apply } = await planStackRepair(stack, { decisions });
  refuseUnknownUrns(stack.name, steps, decisions);
  if (steps.length === 0) {
    return mended === "mended" ? "repaired" : "whole";
  }
  output.line(`The last run of "${stack.name}" was killed during these operations:`);
  output.line(describeRepair(steps));
  const problem = undecidedProblem(stack.name, steps);
  if (problem !== undefined) {
    throw new CommandFailure(problem);
  }
  if (!(await isAgreed(`Repair the state of ${stack.name}?`, yes))) {
    return "declined";
  }
  const color = output.terminal.color ? "always" : "never";
  await apply({ color, signal, onOutput: output.write });
  return "repaired";
}

/** `--yes` of another command says nothing about this, and a job has nobody to ask. */
async function confirmMending(stack: string, yes: boolean): Promise<boolean> {
  if (yes) {
    throw new CommandFailure(
      `nothing was changed: run "talos-aws repair ${stack}" first, while no other run is active`,
    );
  }
  return confirm(`Mend these files of ${stack}? Type "yes" to continue:`, "yes");
}

/**
 * A decision about a resource that isn't pending is a mistake: the resource or the stack is another
 * one.
 */
function refuseUnknownUrns(
  stack: string,
  steps: readonly RepairStep[],
  { adopt, forget }: Decisions = UNDECIDED,
): void {
  const pending = steps.map(({ urn }) => urn);
  const strange = [...Object.keys(adopt), ...forget].filter((urn) => !pending.includes(urn));
  if (strange.length > 0) {
    const known = pending.length === 0 ? "nothing is" : `only ${pending.join(", ")} is`;
    throw new CommandFailure(
      `${strange.map((urn) => `"${urn}"`).join(", ")} can't be decided: in the stack "${stack}" ${known} pending`,
    );
  }
}

function toDecisions({ adopt = [], forget = [] }: RepairOptions): Decisions {
  const pairs = adopt.map((each) => {
    const at = each.indexOf("=");
    if (at < 1 || at === each.length - 1) {
      throw new CommandFailure(
        `--adopt needs a URN and an id, as in --adopt 'urn:pulumi:…=i-0123456789abcdef0', and got "${each}"`,
      );
    }
    return [each.slice(0, at), each.slice(at + 1)] as const;
  });
  return { adopt: Object.fromEntries(pairs), forget: new Set(forget) };
}
