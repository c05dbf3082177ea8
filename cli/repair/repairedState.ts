import type { Deployment } from "@pulumi/pulumi/automation";
import type { Properties } from "../properties";
import { recordedStack, type WrittenResource } from "./pendingOperations";
import type { RepairStep } from "./planRepair";

/**
 * A stack's state after its repair: created objects are recorded as the engine would have recorded
 * them, and nothing is pending. Pure.
 *
 * An adopted resource keeps its requested inputs, which also serve as its outputs until a refresh.
 * An import by the id alone, like `pulumi import`, would lose what AWS doesn't report, such as a
 * machine's user data. The next up would then change or replace the machine.
 *
 * @throws RangeError if a step is undecided
 */
export function repairedState(exported: Deployment, steps: readonly RepairStep[]): Deployment {
  const { resources, pending } = recordedStack(exported);
  const added = steps.flatMap((step): WrittenResource[] => {
    if (step.kind === "undecided") {
      throw new RangeError(`the repair of ${step.urn} is not decided`);
    }
    const begun = pending.find(({ resource }) => resource.urn === step.urn)?.resource;
    if (begun === undefined || (step.kind !== "adopt" && step.kind !== "remove")) {
      return [];
    }
    const { id, urn } = step;
    const outputs = { ...withoutNotes(begun.inputs ?? {}), id };
    // The engine requires that no resource depends on a later one.
    return [{ ...begun, urn, id, outputs, ...(step.kind === "remove" && { delete: true }) }];
  });
  const state = exported.deployment as Record<string, unknown>;
  const repaired = { ...state, resources: [...resources, ...added] };
  const { pending_operations: _ended, ...deployment } = repaired as Record<string, unknown>;
  return { ...exported, deployment };
}

/** URNs of the resources that need a refresh after the repair. */
export function urnsToRefresh(steps: readonly RepairStep[]): readonly string[] {
  return steps.flatMap(({ kind, urn }) => (kind === "adopt" || kind === "refresh" ? [urn] : []));
}

/** The key under which the AWS provider marks default values among inputs. */
const NOTES_KEY = "__defaults";

/** Inputs as the provider would return them as outputs. */
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
