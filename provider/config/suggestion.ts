import type { YamlValue } from "./machineConfig";

/**
 * The most similar candidate for a misspelt word; undefined if none is similar.
 *
 * @param limit the maximum number of wrong letters. Default: one in three
 */
export function suggest(
  word: string,
  candidates: Iterable<string>,
  limit: number = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** The number of letters to add, remove, change or swap with a neighbour between two words. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const at = (r: number, c: number): number => (r === row ? current[c] : rows[r]?.[c]) ?? 0;
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) {
        cost = Math.min(cost, at(row - 2, column - 2) + 1);
      }
      current.push(cost);
    }
    rows.push(current);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/**
 * What to do about a name that a release doesn't have: where others have it, or the similar one.
 *
 * @param elsewhere `exists since v1.36`; undefined for a name that is known nowhere
 * @param here the names that the release has
 */
export function adviceOn(
  name: string,
  elsewhere: string | undefined,
  here: Iterable<string>,
): string {
  return elsewhere === undefined ? useOther(suggest(name, here)) : leaveOut(elsewhere);
}

/**
 * What to do about a name that a release doesn't have for a known reason.
 *
 * @param reason `exists since v1.36`, `was removed in v1.33`
 */
export function leaveOut(reason: string): string {
  const isRemoved = reason.startsWith("was removed");
  return `it ${reason}: leave it out${isRemoved ? ', with an "up" of its own before an upgrade' : ""}`;
}

/** What to do about a name that a release doesn't have for no known reason: the similar one, or none. */
export function useOther(near: string | undefined): string {
  return near === undefined ? "leave it out" : `did you mean "${near}"?`;
}

/**
 * The message about a value that is none of the allowed words: the allowed words, and the most
 * similar one.
 *
 * @param quoted the value in its form for messages
 */
export function notAllowed(
  quoted: string,
  value: YamlValue | undefined,
  allowed: readonly string[],
): string {
  const words = allowed.map((word) => `"${word}"`).join(", ");
  const list = allowed.length === 1 ? `has to be ${words}` : `has to be one of ${words}`;
  if (typeof value !== "string" || value === "") {
    return list;
  }
  const near = suggest(value, allowed);
  return `${quoted} is not allowed: ${near === undefined ? list : `did you mean "${near}"? It ${list}`}`;
}
