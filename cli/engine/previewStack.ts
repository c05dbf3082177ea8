import { type PreviewOptions, type Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { type PreviewSummary, summarize } from "../../preview";
import { CommandFailure } from "../commandFailure";
import { EngineEvents, engineFailure } from "./engineFailure";

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
  const events = new EngineEvents();
  try {
    await stack.preview({ ...options, onEvent: events.add });
  } catch (error) {
    if (options.signal?.aborted === true) {
      throw new CommandFailure("the preview was interrupted");
    }
    throw error instanceof StackNotFoundError ? error : engineFailure(error, events.all);
  }
  const summary = summarize({ stack: stack.name, events: events.all });
  const isRisk = (warning: string) => summary.risks.some(({ reason }) => reason === warning);
  return { summary, warnings: events.warnings().filter((warning) => !isRisk(warning)) };
}
