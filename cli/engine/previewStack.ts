import { type PreviewOptions, type Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { type PreviewSummary, summarize } from "../../preview";
import { CommandFailure } from "../commandFailure";
import { engineFailure } from "./engineFailure";
import { KeptEvents } from "./keptEvents";

/** What a preview found. */
export interface StackPreview {
  readonly summary: PreviewSummary;
  /** What the program and the engine warned of, but for what is among the summary's risks. */
  readonly warnings: readonly string[];
}

/**
 * Has the engine preview a stack.
 *
 * @throws StackNotFoundError when there is no such stack
 * @throws CommandFailure with the errors of the program and the engine
 */
export async function previewStack(
  stack: Pick<Stack, "name" | "preview">,
  options: Pick<PreviewOptions, "refresh" | "onOutput" | "color" | "diff" | "signal">,
): Promise<StackPreview> {
  const kept = new KeptEvents();
  try {
    await stack.preview({ ...options, onEvent: kept.keep });
  } catch (error) {
    if (options.signal?.aborted === true) {
      throw new CommandFailure("the preview was interrupted");
    }
    throw error instanceof StackNotFoundError ? error : engineFailure(error, kept.told("error"));
  }
  const summary = summarize({ stack: stack.name, events: kept.events });
  const isRisk = (warning: string) => summary.risks.some(({ reason }) => reason === warning);
  return { summary, warnings: kept.told("warning").filter((warning) => !isRisk(warning)) };
}
