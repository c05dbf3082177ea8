import type { EngineEvent, Stack, UpResult } from "@pulumi/pulumi/automation";

interface Recorder {
  readonly onEvent: (event: EngineEvent) => void;
}

/**
 * What a preview would do: `<operation> <type> <name>` of each resource that doesn't stay as it is,
 * sorted, the type without its package's path.
 */
export async function plannedSteps(stack: Stack, record: Recorder): Promise<string[]> {
  const steps: string[] = [];
  await stack.preview({ ...record, onEvent: collector(record, steps) });
  return steps.sort();
}

/** What an `up` does, in the same words, and what it gives back. */
export async function takenSteps(
  stack: Stack,
  record: Recorder,
): Promise<{ readonly steps: string[]; readonly result: UpResult }> {
  const steps: string[] = [];
  const result = await stack.up({ ...record, onEvent: collector(record, steps) });
  return { steps: steps.sort(), result };
}

function collector(record: Recorder, steps: string[]): (event: EngineEvent) => void {
  return (event) => {
    record.onEvent(event);
    const { op, type = "", urn = "" } = event.resourcePreEvent?.metadata ?? {};
    if (op !== undefined && op !== "same" && op !== "read") {
      steps.push(`${op} ${type.split(":").at(-1) ?? ""} ${urn.split("::").at(-1) ?? ""}`);
    }
  };
}
