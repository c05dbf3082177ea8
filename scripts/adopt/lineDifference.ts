/** The lines that only one of two texts has, after `-` and `+`, each group behind the last line that both have. */
export function lineDifference(before: string, after: string): string[] {
  const [former, now] = [before.split("\n"), after.split("\n")];
  const common = commonLengths(former, now);
  const out: string[] = [];
  let [i, j] = [0, 0];
  let shared: string | undefined;
  while (i < former.length || j < now.length) {
    const [left, right] = [former[i], now[j]];
    if (left !== undefined && left === right) {
      shared = `  ${left}`;
      i += 1;
      j += 1;
      continue;
    }
    if (shared !== undefined) {
      out.push(shared);
      shared = undefined;
    }
    const isGone = right === undefined || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0);
    if (left !== undefined && isGone) {
      out.push(`- ${left}`);
      i += 1;
    } else {
      out.push(`+ ${right ?? ""}`);
      j += 1;
    }
  }
  return out;
}

/** How many lines the rests of two texts have in common, from each line of one and of the other on. */
function commonLengths(former: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: former.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = former.length - 1; i >= 0; i -= 1) {
    const [row, below] = [rows[i], rows[i + 1]];
    for (let j = now.length - 1; row !== undefined && j >= 0; j -= 1) {
      row[j] =
        former[i] === now[j]
          ? (below?.[j + 1] ?? 0) + 1
          : Math.max(below?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
}
