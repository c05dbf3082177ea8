import type {
  ComponentTable,
  GateEntry,
  KubernetesComponent,
  Minors,
} from "../provider/config/flags/componentTable";

/** What the components of one minor accept. */
export interface ComponentRow {
  /** The release that was read: `v1.37.2`. */
  readonly release: string;
  /** The type of each flag's value, as the flag names it, by component. */
  readonly flags: Readonly<Record<KubernetesComponent, Readonly<Record<string, string>>>>;
  readonly featureGates: Readonly<Record<string, GateOfRelease>>;
}

/** A feature gate as one release has it. */
export interface GateOfRelease {
  readonly default: boolean;
  /** Whether it accepts no other value than its default. */
  readonly locked: boolean;
  /** Components that don't have it. Default: none. */
  readonly without?: readonly string[];
}

/** The types of a flag's value where releases differ; any text may be right. */
const ANY_TYPE = "string";

/** What one minor of a table accepts; the opposite of `tableOf`. Default values are those of locks. */
export function rowOf(table: ComponentTable, minor: number): ComponentRow {
  const there = <T extends Minors>(entries: Readonly<Record<string, T>>) =>
    Object.entries(entries).filter(([, each]) => isIn(each, minor));
  const flags = Object.entries(table.flags).map(([component, entries]) => [
    component,
    Object.fromEntries(there(entries).map(([name, { type }]) => [name, type])),
  ]);
  const gates = there<GateEntry>(table.featureGates).map(([name, gate]) => {
    const locked = gate.lockedSince !== undefined && minor >= gate.lockedSince;
    const { without } = gate;
    return [
      name,
      { default: locked && gate.lockedTo === true, locked, ...(without && { without }) },
    ] as const;
  });
  return {
    release: table.releases[String(minor)] ?? "",
    flags: Object.fromEntries(flags) as ComponentRow["flags"],
    featureGates: Object.fromEntries(gates),
  };
}

/**
 * One table of several minors: each name once, with the minors that have it.
 *
 * @param rows of minors without a gap, oldest first
 * @throws Error if a name goes and comes again, a lock is undone, or a gate changes its components: the
 *   table has no place for that
 */
export function tableOf(rows: readonly ComponentRow[]): ComponentTable {
  const minors = rows.map(({ release }) => minorOf(release));
  const [oldest = 0, newest = 0] = [minors[0], minors.at(-1)];
  const range = (name: string, has: (row: ComponentRow) => boolean): Minors => {
    const there = rows.filter(has).map(({ release }) => minorOf(release));
    const [since = 0, until = 0] = [there[0], there.at(-1)];
    if (until - since + 1 !== there.length) {
      throw new Error(`${name} is in the minors ${there.join(", ")}: not one after another`);
    }
    return { ...(since > oldest && { since }), ...(until < newest && { until }) };
  };
  const flags = Object.keys(rows[0]?.flags ?? {}).map((key): readonly [string, object] => {
    const component = key as KubernetesComponent;
    const entries = namesIn(rows.map((row) => row.flags[component])).map((name) => {
      const types = new Set(rows.flatMap((row) => row.flags[component][name] ?? []));
      const [first = ANY_TYPE] = types;
      const type = types.size > 1 ? ANY_TYPE : first;
      return [name, { type, ...range(name, (row) => name in row.flags[component]) }];
    });
    return [component, Object.fromEntries(entries)];
  });
  const gates = namesIn(rows.map((row) => row.featureGates)).map((name) => [
    name,
    {
      ...range(name, (row) => name in row.featureGates),
      ...lockOf(name, rows),
      ...withoutOf(name, rows),
    },
  ]);
  return {
    releases: Object.fromEntries(rows.map(({ release }) => [String(minorOf(release)), release])),
    flags: Object.fromEntries(flags) as ComponentTable["flags"],
    featureGates: Object.fromEntries(gates) as ComponentTable["featureGates"],
  };
}

function lockOf(name: string, rows: readonly ComponentRow[]): Partial<GateEntry> {
  const there = rows.filter((row) => name in row.featureGates);
  const first = there.findIndex((row) => row.featureGates[name]?.locked === true);
  if (first === -1) {
    return {};
  }
  const locks = there.slice(first).map((row) => row.featureGates[name]);
  const lockedTo = locks[0]?.default === true;
  if (locks.some((lock) => lock?.locked !== true || lock.default !== lockedTo)) {
    throw new Error(`${name} is locked in one minor and otherwise in a later one`);
  }
  return { lockedSince: minorOf(there[first]?.release ?? ""), lockedTo };
}

function withoutOf(name: string, rows: readonly ComponentRow[]): Partial<GateEntry> {
  const there = rows.flatMap((row) => row.featureGates[name] ?? []);
  const [without] = there.map((gate) => gate.without);
  if (new Set(there.map((gate) => JSON.stringify(gate.without))).size > 1) {
    throw new Error(`${name} is a gate of other components in one minor than in another`);
  }
  return without === undefined ? {} : { without };
}

/** The minor of a release: 37 of `v1.37.2`. */
export function minorOf(release: string): number {
  return Number(release.split(".")[1]);
}

function isIn({ since = 0, until = Infinity }: Minors, minor: number): boolean {
  return minor >= since && minor <= until;
}

function namesIn(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].sort();
}
