/** Above this many comparisons (a tenth of a second) a stretch counts as replaced as a whole. */
const MAX_COMPARISONS = 4_000_000;

/**
 * Which items of two sequences are the same, as pairs of their indices, ascending: a longest common
 * subsequence, so that one item more or less moves no other.
 */
export function alignSequences(
  before: readonly string[],
  after: readonly string[],
): (readonly [number, number])[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) {
    start++;
  }
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) {
    end++;
  }
  const middle = alignMiddle(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return [
    ...Array.from({ length: start }, (_, index) => [index, index] as const),
    ...middle.map(([left, right]) => [left + start, right + start] as const),
    ...Array.from(
      { length: end },
      (_, index) => [before.length - end + index, after.length - end + index] as const,
    ),
  ];
}

/** The classic table of the longest common subsequences of all ends of the two. */
function alignMiddle(
  before: readonly string[],
  after: readonly string[],
): (readonly [number, number])[] {
  const width = after.length + 1;
  if (before.length * after.length > MAX_COMPARISONS) {
    return [];
  }
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (left: number, right: number) => lengths[left * width + right] ?? 0;
  for (let left = before.length - 1; left >= 0; left--) {
    for (let right = after.length - 1; right >= 0; right--) {
      lengths[left * width + right] =
        before[left] === after[right]
          ? lengthAt(left + 1, right + 1) + 1
          : Math.max(lengthAt(left + 1, right), lengthAt(left, right + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let left = 0;
  let right = 0;
  while (left < before.length && right < after.length) {
    if (before[left] === after[right]) {
      pairs.push([left++, right++]);
    } else if (lengthAt(left + 1, right) >= lengthAt(left, right + 1)) {
      left++;
    } else {
      right++;
    }
  }
  return pairs;
}
