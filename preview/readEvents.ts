import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import type { Operation, PreviewedResource } from "./previewedResource";

/** Steps that are part of another one: parts of a replacement, and reads. */
const operations: Readonly<Record<string, Operation>> = {
  same: "same",
  create: "create",
  update: "update",
  replace: "replace",
  "create-replacement": "replace",
  "delete-replaced": "replace",
  delete: "delete",
};

/**
 * The resources of a preview in the engine's order, from its events, with components and the stack,
 * without providers.
 */
export function readEvents(events: readonly EngineEvent[]): readonly PreviewedResource[] {
  const resources = new Map<string, PreviewedResource>();
  for (const { resourcePreEvent, resOutputsEvent } of events) {
    const resource = resourcePreEvent && readStep(resourcePreEvent.metadata);
    if (resource !== undefined) {
      const before = resources.get(resource.urn);
      resources.set(resource.urn, before === undefined ? resource : merge(before, resource));
    }
    // What a step makes is told after it.
    const made = resOutputsEvent && readStep(resOutputsEvent.metadata);
    const known = resources.get(made?.urn ?? "");
    if (made !== undefined && known !== undefined) {
      const { newOutputs } = merge(known, made);
      resources.set(made.urn, { ...known, newOutputs });
    }
  }
  return [...resources.values()];
}

function readStep(step: StepEventMetadata): PreviewedResource | undefined {
  const operation = operations[step.op];
  if (operation === undefined || step.type.startsWith("pulumi:providers:")) {
    return undefined;
  }
  const state = step.new ?? step.old;
  const parent = state?.parent ?? "";
  return {
    urn: step.urn,
    type: step.type,
    name: step.urn.split("::").slice(3).join("::"),
    parent: parent.includes("::pulumi:pulumi:Stack::") ? "" : parent,
    operation,
    isComponent: state?.custom !== true,
    id: step.old?.id ?? "",
    isProtected: step.old?.protect ?? false,
    isProtectedAfter: step.new?.protect ?? false,
    oldInputs: step.old?.inputs ?? {},
    oldOutputs: step.old?.outputs ?? {},
    newInputs: operation === "delete" ? {} : (step.new?.inputs ?? {}),
    newOutputs: operation === "delete" ? {} : (step.new?.outputs ?? {}),
    changes: step.diffs ?? [],
    replacedBy: step.keys ?? [],
  };
}

/** A replacement has several steps, each with a part of the facts. */
function merge(one: PreviewedResource, other: PreviewedResource): PreviewedResource {
  const fuller = <T extends object>(first: T, second: T) =>
    Object.keys(second).length > 0 ? second : first;
  return {
    ...one,
    id: one.id === "" ? other.id : one.id,
    isProtected: one.isProtected || other.isProtected,
    isProtectedAfter: one.isProtectedAfter || other.isProtectedAfter,
    oldInputs: fuller(one.oldInputs, other.oldInputs),
    oldOutputs: fuller(one.oldOutputs, other.oldOutputs),
    newInputs: fuller(one.newInputs, other.newInputs),
    newOutputs: fuller(one.newOutputs, other.newOutputs),
    changes: fuller(one.changes, other.changes),
    replacedBy: fuller(one.replacedBy, other.replacedBy),
  };
}
