import type { Stack } from "@pulumi/pulumi/automation";
import type { Command } from "commander";
import { renderText } from "../../preview";
import { CommandFailure } from "../commandFailure";
import { isAgreed } from "../confirm";
import {
  describeChangedMachines,
  findChangedMachines,
  needsRefresh,
} from "../engine/changedMachines";
import { majorityProblem } from "../engine/etcdMajority";
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

export function upCommand(): Command {
  return stackCommand("up", "deploys a stack's settings, after a preview")
    .option("-y, --yes", "does not ask for confirmation")
    .option("--refresh", "first refreshes the state from AWS and the machines")
    .action(up);
}

/**
 * Whether the run must refresh the state, because machines have changed in AWS. It names them, and the
 * stopped ones.
 *
 * @throws CommandFailure if a lost member of etcd can't be replaced before others are started
 */
async function lookAtMachines(stack: Stack, signal: AbortSignal): Promise<boolean> {
  const found = await findChangedMachines(stack, signal);
  const lines = describeChangedMachines(found);
  const majority = majorityProblem(found);
  lines.forEach((line) => {
    notes.line(line);
  });
  if (majority !== undefined && found.lost.length > 0) {
    throw new CommandFailure(
      `${majority}. Then run the same command again, which replaces ${found.lost.join(", ")}`,
    );
  }
  return needsRefresh(found);
}

async function up(name: string, { cwd, yes = false, refresh = false }: UpOptions): Promise<void> {
  await withStack({ stack: name, cwd }, async (stack, signal) => {
    const color = output.terminal.color ? "always" : "never";
    if ((await repairBefore(stack, { yes, signal })) === "declined") {
      process.exitCode = 1;
      return;
    }
    const refreshes = (await lookAtMachines(stack, signal)) || refresh;
    notes.line(`Previewing ${name} …`);
    const { summary } = await previewStack(stack, { refresh: refreshes, color, signal });
    for (const warning of summary.warnings) {
      notes.line(`warning: ${warning}`);
    }
    output.write(renderText(summary, { color: output.terminal.color }));
    output.line("");
    refuseLostMachines(summary);
    if (!(await isAgreed(`Deploy these changes to ${name}?`, yes))) {
      process.exitCode = 1;
      return;
    }
    await shownStack(stack).up({ refresh: refreshes, color, signal, onOutput: output.write });
  });
}
