import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";

/** One step of the engine: what it does with which resource, and why. */
export interface Step {
  readonly op: string;
  /** `Vpc net`: the type without its package's path, and the name. */
  readonly resource: string;
  readonly replaceKeys: readonly string[];
  /** What differs, sorted. */
  readonly paths: readonly string[];
}

/** What a preview would do to the stack's resources. */
export async function previewSteps(stack: Stack): Promise<Step[]> {
  const steps: Step[] = [];
  await stack.preview({ onEvent: (event) => collect(event, steps) });
  return steps;
}

/** Brings the stack up, and tells what was done. */
export async function upSteps(stack: Stack): Promise<Step[]> {
  const steps: Step[] = [];
  await stack.up({ onEvent: (event) => collect(event, steps) });
  return steps;
}

/** Keeps the steps that do something to a resource of the AWS provider or make the stack. */
function collect(event: EngineEvent, steps: Step[]): void {
  const step = event.resourcePreEvent?.metadata;
  if (step === undefined || ["same", "read", "refresh"].includes(step.op)) {
    return;
  }
  if (step.type.startsWith("pulumi:providers:") || /create-replacement|delete/.test(step.op)) {
    return;
  }
  steps.push({
    op: step.op,
    resource: `${step.type.split(":").pop() ?? ""} ${step.urn.split("::").pop() ?? ""}`,
    replaceKeys: step.keys ?? [],
    paths: Object.keys(step.detailedDiff ?? {}).sort(),
  });
}
