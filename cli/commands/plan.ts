import type { Command } from "commander";
import { findProject } from "../engine/openStack";
import { readProject, readSettingsFile } from "../offline/readProject";
import { renderPlan } from "../plan/renderPlan";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";

interface PlanOptions extends StackOptions {
  readonly json?: boolean;
}

export function planCommand(): Command {
  return stackCommand("plan", "prints what an environment's settings ask for, from its file alone")
    .option("--json", "as JSON, for programs")
    .addHelpText(
      "after",
      `
It reads Pulumi.<stack>.yaml of the environments of a checkout: no state, no AWS and no engine. It can't read
a program of your own, because only a run says what its arguments are: see "talos-aws preview" for that.`,
    )
    .action(plan);
}

async function plan(stack: string, { cwd, json = false }: PlanOptions): Promise<void> {
  const folder = findProject(cwd);
  const project = await readProject(folder);
  const text = await readSettingsFile(folder, stack);
  // Loaded late, because an installed package contains no environments.
  const { planSettings } = await import("../plan/planSettings.js");
  const { document, notes: lines } = planSettings(text, stack, project);
  for (const line of lines) {
    notes.line(`note: ${line}`);
  }
  const { color, width } = output.terminal;
  output.write(
    json ? `${JSON.stringify(document, undefined, 2)}\n` : renderPlan(document, { color, width }),
  );
}
