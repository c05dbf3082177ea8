import type { Command } from "commander";
import { Option } from "commander";
import { renderMarkdown, renderText } from "../../preview";
import type { PreviewSummary } from "../../preview";
import { previewStack, type StackPreview } from "../engine/previewStack";
import { withStack } from "../engine/withStack";
import { refuseLostEtcd } from "../lostEtcd";
import { previewOffline } from "../offline/previewOffline";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";

interface PreviewCommandOptions extends StackOptions {
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly full?: boolean;
  readonly refresh?: boolean;
  readonly expectNoChanges?: boolean;
  readonly offline?: boolean;
  readonly state?: string;
}

/** `talos-aws preview`. */
export function previewCommand(): Command {
  return stackCommand("preview", "shows the changes of every machine, and changes nothing")
    .addOption(new Option("--markdown", "as Markdown, for a pull request").conflicts("json"))
    .addOption(new Option("--json", "as JSON, for programs"))
    .addOption(new Option("--full", "the engine's own output").conflicts(["json", "markdown"]))
    .option("--refresh", "first refreshes the state from AWS and the machines")
    .option("--expect-no-changes", "fails if something would change")
    .addOption(
      new Option(
        "--offline",
        "compares only with the recorded state, on an emulated account: needs no AWS credentials",
      ).conflicts("refresh"),
    )
    .addOption(
      new Option(
        "--state <file>",
        'offline, with the state that "pulumi stack export" wrote: needs no backend either',
      ).conflicts("refresh"),
    )
    .action(preview);
}

async function preview(name: string, options: PreviewCommandOptions): Promise<void> {
  const { full = false } = options;
  const { color } = output.terminal;
  const { summary, warnings } = await look(name, options, {
    color: color ? "always" : "never",
    ...(full && { diff: true, onOutput: output.write }),
  });
  if (!full) {
    for (const warning of warnings) {
      notes.line(`warning: ${warning}`);
    }
    output.write(render(summary, options, color));
  }
  refuseLostEtcd(summary);
  if (options.expectNoChanges === true && hasChanges(summary)) {
    notes.line("error: no changes were expected");
    process.exitCode = 1;
  }
}

async function look(
  stack: string,
  { cwd, refresh = false, offline = false, state }: PreviewCommandOptions,
  telling: Omit<Parameters<typeof previewStack>[1], "signal" | "refresh">,
): Promise<StackPreview> {
  if (!offline && state === undefined) {
    return withStack({ stack, cwd }, (opened, signal) =>
      previewStack(opened, { ...telling, refresh, signal }),
    );
  }
  return previewOffline({ stack, cwd, telling, ...(state !== undefined && { stateFile: state }) });
}

function render(
  summary: PreviewSummary,
  { markdown = false, json = false }: PreviewCommandOptions,
  color: boolean,
): string {
  if (json) {
    return `${JSON.stringify(summary, undefined, 2)}\n`;
  }
  return markdown ? renderMarkdown(summary) : renderText(summary, { color });
}

function hasChanges({ counts }: PreviewSummary): boolean {
  return counts.create + counts.update + counts.replace + counts.delete > 0;
}
