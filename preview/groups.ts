import type { Risk } from "./risks";

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
