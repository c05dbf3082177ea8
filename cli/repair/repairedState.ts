import type { Deployment } from "@pulumi/pulumi/automation";
import type { Properties } from "../stackResource";
import { recordedStack, type WrittenResource } from "./pendingOperations";
import type { RepairStep } from "./planRepair";

/**
 * A stack's state after its repair: what was made stands there as the engine would have written it,
 * and nothing is pending. Pure.
 *
 * An adopted resource keeps the inputs it was asked for, which stand in for its outputs until it is
 * refreshed. Read by its id alone, as `pulumi import` does, a machine would lose what AWS doesn't tell,
 * such as its user data as it was given, and be changed or replaced for that.
 *
 * @throws RangeError when a step is undecided
 */
export function repairedState(exported: Deployment, steps: readonly RepairStep[]): Deployment {
  const { resources, pending } = recordedStack(exported);
  const added = steps.flatMap((step): WrittenResource[] => {
    if (step.kind === "undecided") {
      throw new RangeError(`it is not decided what becomes of ${step.urn}`);
    }
    const begun = pending.find(({ resource }) => resource.urn === step.urn)?.resource;
    if (begun === undefined || (step.kind !== "adopt" && step.kind !== "remove")) {
      return [];
    }
    const { id, urn } = step;
    const outputs = { ...withoutNotes(begun.inputs ?? {}), id };
    // Who comes last depends on none that comes after, as the engine wants it.
    return [{ ...begun, urn, id, outputs, ...(step.kind === "remove" && { delete: true }) }];
  });
  const state = exported.deployment as Record<string, unknown>;
  const repaired = { ...state, resources: [...resources, ...added] };
  const { pending_operations: _ended, ...deployment } = repaired as Record<string, unknown>;
  return { ...exported, deployment };
}

/** URNs of what has to be asked of the cloud after the repair, to know all about it. */
export function urnsToRefresh(steps: readonly RepairStep[]): readonly string[] {
  return steps.flatMap(({ kind, urn }) => (kind === "adopt" || kind === "refresh" ? [urn] : []));
}

/** How the AWS provider notes, among inputs, which of them nobody gave. */
const NOTES_KEY = "__defaults";

/** Inputs as the provider would tell them as outputs. */
function withoutNotes(inputs: Properties): Properties {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(plain);
    }
    return typeof value === "object" && value !== null ? withoutNotes(value as Properties) : value;
  };
  return Object.fromEntries(
    Object.entries(inputs)
      .filter(([name]) => name !== NOTES_KEY)
      .map(([name, value]) => [name, plain(value)]),
  );
}
