import type { PolicyViolation } from "../policies";

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
