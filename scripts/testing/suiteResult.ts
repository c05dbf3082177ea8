/** How many tests ended how. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What a suite's process writes down at its end. */
export interface SuiteResult extends Counts {
  /** How long each file took, by its path below the checkout. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** The sum of several counts. */
export function sumOf(counts: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => counts.reduce((total, each) => total + each[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}
