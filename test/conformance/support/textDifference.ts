/** The lines around the first difference of two texts, ours before theirs; undefined without any. */
export function firstDifference(ours: string, theirs: string): string | undefined {
  if (ours === theirs) {
    return undefined;
  }
  const [left, right] = [ours.split("\n"), theirs.split("\n")];
  const at = left.findIndex((line, index) => line !== right[index]);
  const first = at === -1 ? left.length : at;
  const excerpt = (lines: readonly string[], sign: string) =>
    lines.slice(first, first + 4).map((line) => `${sign} ${line}`);
  return [
    ...left.slice(Math.max(0, first - 3), first).map((line) => `  ${line}`),
    ...excerpt(left, "- ours  "),
    ...excerpt(right, "+ theirs"),
  ].join("\n");
}
