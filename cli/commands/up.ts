import type { Stack } from "@pulumi/pulumi/automation";
import type { Command } from "commander";
import { renderText } from "../../preview";
import { confirm } from "../confirm";
import { describeChangedMachines, findChangedMachines } from "../engine/changedMachines";
import { previewStack } from "../engine/previewStack";
import { shownStack } from "../engine/shownStack";
import { withStack } from "../engine/withStack";
import { refuseLostMachines } from "../refuseLostMachines";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";
import { repairBefore } from "./repair";

interface UpOptions extends StackOptions {
  readonly yes?: boolean;
  readonly refresh?: boolean;
}

/** `talos-aws up`. */
export function upCommand(): Command {
  return stackCommand("up", "deploys a stack's settings, after a preview")
    .option("-y, --yes", "does not ask for confirmation")
    .option("--refresh", "first refreshes the state from AWS and the machines")
    .action(up);
}

/** Whether machines have changed in AWS, which it names. */
async function hasChangedMachines(stack: Stack, signal: AbortSignal): Promise<boolean> {
  const lines = describeChangedMachines(await findChangedMachines(stack, signal));
  lines.forEach((line) => {
    notes.line(line);
  });
  return lines.length > 0;
}

async function up(name: string, { cwd, yes = false, refresh = false }: UpOptions): Promise<void> {
  await withStack({ stack: name, cwd }, async (stack, signal) => {
    const color = output.terminal.color ? "always" : "never";
    if ((await repairBefore(stack, { yes, signal })) === "declined") {
      process.exitCode = 1;
      return;
    }
    const refreshes = refresh || (await hasChangedMachines(stack, signal));
    notes.line(`Previewing ${name} …`);
    const { summary, warnings } = await previewStack(stack, { refresh: refreshes, color, signal });
    for (const warning of warnings) {
      notes.line(`warning: ${warning}`);
    }
    output.write(renderText(summary, { color: output.terminal.color }));
    output.line("");
    refuseLostMachines(summary);
    if (
      !yes &&
      !(await confirm(`Deploy these changes to ${name}? Type "yes" to continue:`, "yes"))
    ) {
      notes.line("Nothing was changed.");
      process.exitCode = 1;
      return;
    }
    await shownStack(stack).up({ refresh: refreshes, color, signal, onOutput: output.write });
  });
}
