import type { EngineEvent } from "@pulumi/pulumi/automation";
import type { PreviewedResource } from "../../../preview/previewedResource";

const STACK = "pulumi:pulumi:Stack";

/**
 * The stack itself as a resource, with what its program returns as outputs, as far as that is known;
 * nothing when the program didn't come to its end.
 */
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
      changes: [],
      replacedBy: [],
    }
  );
}
