import type { Stack, StepEventMetadata } from "@pulumi/pulumi/automation";
import { EngineEvents, engineFailure } from "./engineFailure";
import { withoutReports } from "./shownStack";

/**
 * Asks AWS about instances, and nothing else. The engine asks, with the stack's credentials, and records
 * nothing.
 *
 * @param urns of instances in the state; not empty, or the engine asks about everything
 * @returns for each URN what the state has (`old`) and what AWS has (`new`); the operation `delete`
 *   means that AWS no longer has it
 * @throws CommandFailure with the engine's errors
 */
export async function askAboutInstances(
  stack: Stack,
  urns: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, StepEventMetadata>> {
  const events = new EngineEvents();
  try {
    await withoutReports(stack).previewRefresh({
      target: [...urns],
      onEvent: events.add,
      color: "never",
      ...(signal && { signal }),
    });
  } catch (error) {
    throw engineFailure(error, events.all);
  }
  return new Map(
    events.all
      .flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? [])
      .map((step) => [step.urn, step] as const),
  );
}
