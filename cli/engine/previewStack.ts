import { stripVTControlCharacters } from "node:util";
import {
  type EngineEvent,
  type PreviewOptions,
  type Stack,
  StackNotFoundError,
} from "@pulumi/pulumi/automation";
import { type PreviewSummary, summarize } from "../../preview";
import { CommandFailure } from "../commandFailure";
import { engineFailure } from "./engineFailure";

/** What a preview found. */
export interface StackPreview {
  readonly summary: PreviewSummary;
  /** What the program and the engine warned of. */
  readonly warnings: readonly string[];
}

/**
 * Has the engine preview a stack.
 *
 * @throws StackNotFoundError when there is no such stack
 * @throws CommandFailure with the errors of the program and the engine
 */
export async function previewStack(
  stack: Stack,
  options: Pick<PreviewOptions, "refresh" | "onOutput" | "color" | "diff" | "signal">,
): Promise<StackPreview> {
  const events: EngineEvent[] = [];
  const told = (severity: string) => [
    ...new Set(
      events.flatMap(({ diagnosticEvent }) =>
        diagnosticEvent?.severity === severity ? [plain(diagnosticEvent.message)] : [],
      ),
    ),
  ];
  try {
    await stack.preview({ ...options, onEvent: (event) => events.push(event) });
  } catch (error) {
    if (options.signal?.aborted === true) {
      throw new CommandFailure("the preview was interrupted");
    }
    throw error instanceof StackNotFoundError ? error : engineFailure(error, told("error"));
  }
  return { summary: summarize({ stack: stack.name, events }), warnings: told("warning") };
}

/** A message without the engine's own words for colours. */
function plain(message: string): string {
  return stripVTControlCharacters(message.replaceAll(/<\{%.*?%\}>/g, "")).trim();
}
