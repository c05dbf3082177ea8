import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { readResources } from "../stackResource";
import { EngineEvents, engineFailure } from "./engineFailure";
import { withoutReports } from "./shownStack";
import { exportState } from "./stateOfStack";

const INSTANCE = "aws:ec2/instance:Instance";

/**
 * The machines of a stack that AWS no longer has. An `up` without a refresh does not ask AWS, so it
 * would not replace them. The engine asks AWS about the instances alone, and records nothing.
 *
 * @returns their names
 * @throws StackNotFoundError if the stack does not exist
 * @throws CommandFailure with the engine's errors
 */
export async function findLostMachines(
  stack: Stack,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const machines = readResources(await exportState(stack)).filter(({ type }) => type === INSTANCE);
  if (machines.length === 0) {
    return [];
  }
  const events = new EngineEvents();
  try {
    await withoutReports(stack).previewRefresh({
      target: machines.map(({ urn }) => urn),
      onEvent: events.add,
      color: "never",
      signal,
    });
  } catch (error) {
    throw engineFailure(error, events.all);
  }
  const gone = new Set(events.all.flatMap(deletedUrn));
  return machines.filter(({ urn }) => gone.has(urn)).map(({ name }) => name);
}

/** Says which machines are lost, and what this run does. */
export function describeLostMachines(names: readonly string[]): string {
  return `AWS no longer has ${names.join(", ")}: this run refreshes the state first, as --refresh does.`;
}

/** The URN of a resource that a refresh did not find. */
function deletedUrn({ resOutputsEvent }: EngineEvent): readonly string[] {
  const { op, urn } = resOutputsEvent?.metadata ?? {};
  return op === "delete" && urn !== undefined ? [urn] : [];
}
