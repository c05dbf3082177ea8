import type { PolicyViolation } from "../policies";
import { groupAlike } from "../provider/base";
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
  return groupAlike(risks, ({ code, reason }) => [code, reason]).map((group) => ({
    subjects: group.map(({ subject }) => subject),
    reason: group[0].reason,
  }));
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
  return groupAlike(violations, ({ rule, reason }) => [rule, reason]).map((group) => ({
    rule: group[0].rule,
    reason: group[0].reason,
    subjects: group.map(({ subject }) => subject),
  }));
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
  const merged = groupAlike(resources, ({ operation, kind, name, because }) => [
    operation,
    kind,
    operation === "update" ? because : name,
  ]);
  return merged.map((group) => {
    const [{ operation, kind, because }] = group;
    return { operation, kind, because, names: group.map(({ name }) => name) };
  });
}
