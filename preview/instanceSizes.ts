/** The size that a family's price is said for. */
export const SIZE_OF_LARGE = "large";

const SMALL_SIZES: Readonly<Record<string, number>> = {
  nano: 1 / 16,
  micro: 1 / 8,
  small: 1 / 4,
  medium: 1 / 2,
  [SIZE_OF_LARGE]: 1,
  xlarge: 2,
};

/** A size as a multiple of `large`, by its processors; undefined if its name doesn't say it. */
export function sizeMultiple(size: string): number | undefined {
  const [, times] = /^(?:metal-)?(\d+)xl(?:arge)?$/.exec(size) ?? [];
  return times === undefined ? SMALL_SIZES[size] : 2 * Number(times);
}
