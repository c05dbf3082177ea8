import type { Command } from "commander";
import { Option } from "commander";
import {
  hasChanges,
  type PreviewSummary,
  renderMarkdown,
  renderReportsMarkdown,
  renderReportsText,
  renderText,
  type StackReport,
} from "../../preview";
import { messageOfError } from "../../provider/base";
import { CommandFailure } from "../commandFailure";
import { previewStack, type StackPreview } from "../engine/previewStack";
import { withStack } from "../engine/withStack";
import { previewOffline } from "../offline/previewOffline";
import { refuseLostMachines } from "../refuseLostMachines";
import { someAtOnce } from "../someAtOnce";
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

/**
 * How many of several stacks are previewed at the same time. Each takes an engine and a program,
 * some 500 MB, and half of its time waits for AWS.
 */
const AT_ONCE = 3;

export function previewCommand(): Command {
  return stackCommand("preview", "shows the changes of every machine, and changes nothing", {
    isForSeveral: true,
  })
    .addOption(new Option("--markdown", "as Markdown, for a pull request").conflicts("json"))
    .addOption(new Option("--json", "as JSON, for programs; a list for several stacks"))
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
    .action(async ([stack = "", ...others]: string[], options: PreviewCommandOptions) =>
      others.length === 0 ? preview(stack, options) : previewAll([stack, ...others], options),
    );
}

async function preview(name: string, options: PreviewCommandOptions): Promise<void> {
  const { full = false, json = false, markdown = false } = options;
  const { color } = output.terminal;
  const { summary } = await look(name, options, {
    color: color ? "always" : "never",
    ...(full && { diff: true, onOutput: output.write }),
  });
  if (!full) {
    for (const warning of summary.warnings) {
      notes.line(`warning: ${warning}`);
    }
    const text = () => (markdown ? renderMarkdown(summary) : renderText(summary, { color }));
    output.write(json ? asJson(summary) : text());
  }
  refuseLostMachines(summary);
  failOnChanges([summary], options);
}

/** Several stacks as one report. One that fails does not keep the others from theirs. */
async function previewAll(
  stacks: readonly string[],
  options: PreviewCommandOptions,
): Promise<void> {
  refuseForSeveral(stacks, options);
  const { color } = output.terminal;
  const reports = await someAtOnce(AT_ONCE, stacks, async (stack): Promise<StackReport> => {
    try {
      const { summary } = await look(stack, options, { color: "never" });
      for (const warning of summary.warnings) {
        notes.line(`warning: ${stack}: ${warning}`);
      }
      return { stack, summary };
    } catch (error) {
      return { stack, error: messageOfError(error) };
    }
  });
  const text = () =>
    options.markdown === true
      ? renderReportsMarkdown(reports)
      : renderReportsText(reports, { color });
  output.write(options.json === true ? asJson(reports) : text());
  const summaries = reports.flatMap((report) => ("summary" in report ? [report.summary] : []));
  failOnChanges(summaries, options);
  summaries.forEach(refuseLostMachines);
  const failed = reports.filter((report) => "error" in report).map(({ stack }) => stack);
  if (failed.length > 0) {
    throw new CommandFailure(`there is no preview of ${failed.join(", ")}: see the report`);
  }
}

function refuseForSeveral(
  stacks: readonly string[],
  { full = false, state }: PreviewCommandOptions,
): void {
  const option = full ? "--full" : "--state";
  if (full || state !== undefined) {
    throw new CommandFailure(
      `${option} is for one stack, not for ${stacks.length}: leave it out, or preview them one after another`,
    );
  }
  const twice = stacks.filter((stack, index) => stacks.indexOf(stack) !== index);
  if (twice.length > 0) {
    throw new CommandFailure(`"${twice.join(", ")}" is named twice: name each stack once`);
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

function asJson(value: PreviewSummary | readonly StackReport[]): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function failOnChanges(
  summaries: readonly PreviewSummary[],
  { expectNoChanges = false }: PreviewCommandOptions,
): void {
  if (expectNoChanges && summaries.some(hasChanges)) {
    notes.line("error: no changes were expected");
    process.exitCode = 1;
  }
}
