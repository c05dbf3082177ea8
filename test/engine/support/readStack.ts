import type { EngineEvent } from "@pulumi/pulumi/automation";
import type { PreviewedResource } from "../../../preview/previewedResource";

const STACK = "pulumi:pulumi:Stack";

/** The stack as a resource, with its known outputs; empty if the program failed. */
export function readStack(events: readonly EngineEvent[]): PreviewedResource | undefined {
  const step = events
    .map(({ resOutputsEvent }) => resOutputsEvent?.metadata)
    .findLast((metadata) => metadata?.type === STACK);
  return (
    step && {
      urn: step.urn,
      type: STACK,
      name: step.urn.split("::").slice(3).join("::"),
      parent: "",
      operation: "same",
      isComponent: true,
      id: "",
      isProtected: false,
      isProtectedAfter: false,
      oldInputs: {},
      oldOutputs: step.new?.outputs ?? {},
      newInputs: {},
      newOutputs: {},
      changes: [],
      replacedBy: [],
    }
  );
}
