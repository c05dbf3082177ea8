import type { PolicyViolation } from "../policies";
import type { Risk } from "./risks";
import type { ChangedResource } from "./summarize";

/** Subjects with the same risk. */
export interface RiskGroup {
  /** Names of resources or machines. */
  readonly subjects: readonly string[];
  readonly reason: string;
}

/** Groups equal risks. */
export function groupRisks(risks: readonly Risk[]): readonly RiskGroup[] {
  const groups = new Map<string, { subjects: string[]; reason: string }>();
  for (const { code, subject, reason } of risks) {
    const key = JSON.stringify([code, reason]);
    const group = groups.get(key) ?? { subjects: [], reason };
    group.subjects.push(subject);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Resources that break a rule in the same way. */
export interface ViolationGroup {
  readonly rule: string;
  readonly reason: string;
  /** Names of the resources. */
  readonly subjects: readonly string[];
}

/** Groups equal violations. */
export function groupViolations(violations: readonly PolicyViolation[]): readonly ViolationGroup[] {
  const groups = new Map<string, { rule: string; reason: string; subjects: string[] }>();
  for (const { rule, reason, subject } of violations) {
    const key = JSON.stringify([rule, reason]);
    const group = groups.get(key) ?? { rule, reason, subjects: [] };
    group.subjects.push(subject);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Resources of one kind with the same change. */
export interface MergedResources extends Omit<ChangedResource, "name"> {
  readonly names: readonly string[];
}

/**
 * Merges updates of one kind with the same reason, such as a new tag. Creates and deletes stay
 * separate.
 */
export function mergeUpdates(resources: readonly ChangedResource[]): readonly MergedResources[] {
  const merged = new Map<string, { change: ChangedResource; names: string[] }>();
  for (const change of resources) {
    const { operation, kind, name, because } = change;
    const key = JSON.stringify([operation, kind, operation === "update" ? because : name]);
    const one = merged.get(key) ?? { change, names: [] };
    one.names.push(name);
    merged.set(key, one);
  }
  return [...merged.values()].map(({ change: { operation, kind, because }, names }) => ({
    operation,
    kind,
    because,
    names,
  }));
}
