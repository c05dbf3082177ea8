import type { PreviewSummary } from "./summarize";

const words = {
  create: "to create",
  update: "to change",
  replace: "to replace",
  delete: "to delete",
} as const;

/** The number of changes, in one line. */
export function describeCounts(counts: PreviewSummary["counts"]): string {
  const parts = (["create", "update", "replace", "delete"] as const)
    .filter((operation) => counts[operation] > 0)
    .map((operation) => `${counts[operation]} ${words[operation]}`);
  const change = parts.length === 0 ? "nothing changes" : parts.join(", ");
  return counts.same === 0 ? change : `${change}, ${counts.same} stay`;
}
