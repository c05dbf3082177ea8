import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";

/**
 * What a preview would do: `<operation> <type> <name>` of each resource that doesn't stay as it is,
 * sorted, the type without its package's path.
 */
export async function plannedSteps(
  stack: Stack,
  record: { readonly onEvent: (event: EngineEvent) => void },
): Promise<string[]> {
  const steps: string[] = [];
  await stack.preview({
    ...record,
    onEvent: (event) => {
      record.onEvent(event);
      const { op, type = "", urn = "" } = event.resourcePreEvent?.metadata ?? {};
      if (op !== undefined && op !== "same" && op !== "read") {
        steps.push(`${op} ${type.split(":").at(-1) ?? ""} ${urn.split("::").at(-1) ?? ""}`);
      }
    },
  });
  return steps.sort();
}
