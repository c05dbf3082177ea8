import { type PreviewOptions, type Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { type PreviewSummary, summarize } from "../../preview";
import { CommandFailure } from "../commandFailure";
import { EngineEvents, engineFailure } from "./engineFailure";

export interface StackPreview {
  readonly summary: PreviewSummary;
  /** URNs of all resources that would change, components included. */
  readonly changed: ReadonlySet<string>;
}

/**
 * Runs a preview of a stack.
 *
 * @throws StackNotFoundError if the stack does not exist
 * @throws CommandFailure with the errors of the program and the engine
 */
export async function previewStack(
  stack: Pick<Stack, "name" | "preview">,
  options: Pick<PreviewOptions, "refresh" | "replace" | "onOutput" | "color" | "diff" | "signal">,
): Promise<StackPreview> {
  const events = await previewEvents(stack, options);
  const summary = summarize({ stack: stack.name, events: events.all });
  return { summary, changed: changedIn(events) };
}

/**
 * The events of a preview.
 *
 * @throws as `previewStack`
 */
export async function previewEvents(
  stack: Pick<Stack, "preview">,
  options: PreviewOptions,
): Promise<EngineEvents> {
  const events = new EngineEvents();
  try {
    await stack.preview({ ...options, onEvent: events.add });
    return events;
  } catch (error) {
    if (options.signal?.aborted === true) {
      throw new CommandFailure("the preview was interrupted");
    }
    throw error instanceof StackNotFoundError ? error : engineFailure(error, events.all);
  }
}

/** Operations that change nothing. Source: pulumi v3.230.0, `deploy.StepOp`. */
const UNCHANGED = ["same", "read", "read-replacement", "read-discard", "refresh"];

function changedIn({ all }: EngineEvents): ReadonlySet<string> {
  return new Set(
    all.flatMap(({ resourcePreEvent }) =>
      resourcePreEvent === undefined || UNCHANGED.includes(resourcePreEvent.metadata.op)
        ? []
        : [resourcePreEvent.metadata.urn],
    ),
  );
}
