/** What differs between two records, each list sorted. */
export interface Changes {
  readonly came: readonly string[];
  readonly went: readonly string[];
  readonly changed: readonly Change[];
}

/** A value that is another one. */
export interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What differs between two records of texts. */
export function changesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Changes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return {
    came: names.filter((name) => !(name in before)),
    went: names.filter((name) => !(name in after)),
    changed: names.flatMap((name) => {
      const [former, now] = [before[name], after[name]];
      return former === undefined || now === undefined || former === now
        ? []
        : [{ name, before: former, after: now }];
    }),
  };
}

/** What differs between two lists of names. */
export function listChanges(before: readonly string[], after: readonly string[]): Changes {
  const record = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ""]));
  return changesOf(record(before), record(after));
}
