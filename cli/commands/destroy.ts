import { styleText } from "node:util";
import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import type { Command } from "commander";
import { CommandFailure } from "../commandFailure";
import { confirm } from "../confirm";
import { destroyPlan, type DestroyPlan } from "../destroyPlan";
import { goesWhole } from "../engine/goesWhole";
import { shownStack } from "../engine/shownStack";
import { withStack } from "../engine/withStack";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";
import { describeKept, describeMade } from "../sweep/describeSweep";
import { lookForMade } from "../sweep/lookForMade";
import type { Sweep } from "../sweep/planSweep";
import { sweepStack } from "../sweep/sweepStack";
import { repairBefore } from "./repair";

interface DestroyOptions extends StackOptions {
  readonly yes?: boolean;
  readonly refresh?: boolean;
  readonly sweep?: boolean;
  readonly sweepVolumes?: boolean;
}

/** `talos-aws destroy`. */
export function destroyCommand(): Command {
  return stackCommand("destroy", "deletes everything that a stack has made")
    .option("-y, --yes", "goes on without asking for the stack's name")
    .option("--refresh", "asks AWS and the machines first how things are")
    .option(
      "--sweep",
      "removes load balancers and groups that controllers in the cluster made, too",
    )
    .option(
      "--sweep-volumes",
      "removes the cluster's volumes and snapshots as well, with their data",
    )
    .action(destroy);
}

async function destroy(name: string, options: DestroyOptions): Promise<void> {
  const { cwd, yes = false, refresh = false, sweepVolumes: withData = false } = options;
  const sweep = options.sweep === true || withData;
  await withStack({ stack: name, cwd }, async (stack, signal) => {
    // What a killed run made and didn't record would stay, and cost.
    if ((await repairBefore(stack, { yes, signal })) === "declined") {
      process.exitCode = 1;
      return;
    }
    const exported = await stack.exportStack();
    const plan = destroyPlan(exported);
    if (plan.resources === 0) {
      output.line(`The stack "${name}" has nothing to delete.`);
      return;
    }
    if (plan.protectedNames.length > 0) {
      throw new CommandFailure(
        `the stack "${name}" is guarded: Pulumi refuses to delete ${list(plan.protectedNames)}; if they are meant to go, take the protection off in its settings ("protect": false), bring that up, and destroy then; where no up can end any more, "pulumi state unprotect --all --stack ${name}" takes it off`,
      );
    }
    const sweeps = await look(stack, exported, { sweep });
    const removes = tellOf(name, sweeps, { sweep, withData });
    output.line(describePlan(name, plan, output.terminal.color));
    if (!yes && !(await confirm(`Type "${name}" to delete all of it:`, name))) {
      notes.line("Nothing was deleted.");
      process.exitCode = 1;
      return;
    }
    const color = output.terminal.color ? "always" : "never";
    const telling = { color, signal, onOutput: output.write } as const;
    goesWhole(stack, exported);
    if (removes) {
      await sweepStack(stack, exported, sweeps, { ...telling, withData, onStep: output.line });
    }
    await shownStack(stack).destroy({ ...telling, refresh });
  });
}

/** Without `--sweep`, what can't be asked doesn't keep anybody from destroying. */
async function look(
  stack: Stack,
  exported: Deployment,
  { sweep }: { readonly sweep: boolean },
): Promise<readonly Sweep[]> {
  try {
    return await lookForMade(stack, exported);
  } catch (error) {
    if (sweep) {
      throw error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    notes.line(`What controllers in the cluster made can't be told: ${reason}`);
    return [];
  }
}

/**
 * Says what controllers made, and what becomes of it.
 *
 * @returns whether something is to be removed
 * @throws CommandFailure when the network can't go while something is there that stays
 */
function tellOf(
  name: string,
  sweeps: readonly Sweep[],
  { sweep, withData }: { readonly sweep: boolean; readonly withData: boolean },
): boolean {
  const { color, width } = output.terminal;
  const look = { color, width };
  const made = sweeps.flatMap((each) => each.made);
  const data = sweeps.flatMap((each) => each.data);
  const kept = sweeps.flatMap((each) => each.kept);
  if (made.length > 0) {
    output.line("Controllers in the cluster made this, and Pulumi doesn't know of it:");
    output.line(describeMade(made, look));
  }
  if (data.length > 0) {
    output.line(
      "They made this too, with data in it. AWS doesn't tell whether it is meant to be retained (the reclaim policy):",
    );
    output.line(describeMade(data, look));
  }
  if (kept.length > 0) {
    output.line("This looks like the cluster's, and isn't touched:");
    output.line(describeKept(kept, look));
  }
  const inTheWay = kept.filter(({ blocks }) => blocks).map(({ thing }) => thing.name);
  if (inTheWay.length > 0) {
    throw new CommandFailure(
      `the network of "${name}" can't be deleted while ${list(inTheWay)} ${inTheWay.length === 1 ? "is" : "are"} in it: remove that yourself, and destroy then`,
    );
  }
  const blocking = made.filter(({ blocks }) => blocks).map(({ thing }) => thing.name);
  if (!sweep && blocking.length > 0) {
    throw new CommandFailure(
      `the network of "${name}" can't be deleted while ${list(blocking)} ${blocking.length === 1 ? "is" : "are"} in it: "talos-aws destroy ${name} --sweep" removes that too; nothing was deleted`,
    );
  }
  if (!sweep && made.length > 0) {
    output.line(`It stays, unless you say "talos-aws destroy ${name} --sweep".`);
  }
  if (!withData && data.length > 0) {
    output.line(
      `${data.length} with data ${data.length === 1 ? "stays" : "stay"}, unless you say "talos-aws destroy ${name} --sweep-volumes".`,
    );
  }
  return (sweep && made.length > 0) || (withData && data.length > 0);
}

function describePlan(name: string, { resources, losses }: DestroyPlan, color: boolean): string {
  const title = `${name}: ${resources} resources go, for good:`;
  return [
    color ? styleText("bold", title, { validateStream: false }) : title,
    ...losses.map(({ what, names }) => `  ${what}: ${list(names)}`),
  ].join("\n");
}

/** Names, of many the first ones. */
function list(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(", ");
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
