import { styleText } from "node:util";
import type { Command } from "commander";
import { CommandFailure } from "../commandFailure";
import { confirm } from "../confirm";
import { destroyPlan, type DestroyPlan } from "../destroyPlan";
import { withoutReports } from "../engine/withoutReports";
import { withStack } from "../engine/withStack";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";
import { repairBefore } from "./repair";

interface DestroyOptions extends StackOptions {
  readonly yes?: boolean;
  readonly refresh?: boolean;
}

/** `talos-aws destroy`. */
export function destroyCommand(): Command {
  return stackCommand("destroy", "deletes everything that a stack has made")
    .option("-y, --yes", "goes on without asking for the stack's name")
    .option("--refresh", "asks AWS and the machines first how things are")
    .action(destroy);
}

async function destroy(
  name: string,
  { cwd, yes = false, refresh = false }: DestroyOptions,
): Promise<void> {
  await withStack({ stack: name, cwd }, async (stack, signal) => {
    // What a killed run made and didn't record would stay, and cost.
    if ((await repairBefore(stack, { yes, signal })) === "declined") {
      process.exitCode = 1;
      return;
    }
    const plan = destroyPlan(await stack.exportStack());
    if (plan.resources === 0) {
      output.line(`The stack "${name}" has nothing to delete.`);
      return;
    }
    if (plan.protectedNames.length > 0) {
      throw new CommandFailure(
        `the stack "${name}" is guarded: Pulumi refuses to delete ${list(plan.protectedNames)}; if they are meant to go, take the protection off in its settings ("protect": false), bring that up, and destroy then`,
      );
    }
    output.line(describePlan(name, plan, output.terminal.color));
    if (!yes && !(await confirm(`Type "${name}" to delete all of it:`, name))) {
      notes.line("Nothing was deleted.");
      process.exitCode = 1;
      return;
    }
    const color = output.terminal.color ? "always" : "never";
    await withoutReports(stack).destroy({ refresh, color, signal, onOutput: output.write });
  });
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
