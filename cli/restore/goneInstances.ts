import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { EngineEvents, engineFailure } from "../engine/engineFailure";

/**
 * Finds out from AWS, through the engine, which instances no longer exist. It changes nothing.
 *
 * @param urns of instances in the state
 * @returns those that no longer exist
 * @throws CommandFailure if AWS can't be called
 */
export async function goneInstances(
  stack: Pick<Stack, "previewRefresh">,
  urns: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (urns.length === 0) {
    return new Set();
  }
  const events = new EngineEvents();
  try {
    await stack.previewRefresh({ target: [...urns], signal, onEvent: events.add });
  } catch (error) {
    throw engineFailure(error, events.all);
  }
  return new Set(events.all.flatMap(deletedUrn));
}

function deletedUrn({ resOutputsEvent }: EngineEvent): readonly string[] {
  const metadata = resOutputsEvent?.metadata;
  return metadata?.op === "delete" ? [metadata.urn] : [];
}
