import type { ConfigFileTable } from "../provider/config/componentFiles/fileTypes";
import { minorOf } from "./componentTable";

/** What one release knows in the configuration files of its components. */
export interface ConfigFileRow {
  /** `v1.37.2`. */
  readonly release: string;
  /** The type of each kind, by API version and kind. */
  readonly kinds: Readonly<Record<string, string>>;
  /** The types of the fields of each type. */
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The extension points of the scheduler's plugins. */
  readonly schedulerPlugins: Readonly<Record<string, readonly string[]>>;
}

/**
 * One table of several minors. Each entry is a text, `type` or `type since-until`; minors that the
 * whole has too are left out. A type that is like one before is its name.
 *
 * @param rows of minors without a gap, oldest first
 * @throws Error if a name goes and comes again, or changes its type: the table has no place for that
 */
export function configFileTableOf(rows: readonly ConfigFileRow[]): ConfigFileTable {
  const seen = new Map<string, string>();
  const types = namesIn(rows.map((row) => row.types)).map((type) => {
    const there = rows.filter((row) => type in row.types);
    const fields = entriesOf(
      there.map(({ release, types: all }) => [release, local(all[type] ?? {}, type)] as const),
    );
    const text = JSON.stringify(fields);
    const like = seen.get(text);
    if (like === undefined) {
      seen.set(text, type);
    }
    return [type, like ?? fields] as const;
  });
  const plugins = namesIn(rows.map((row) => row.schedulerPlugins)).map((plugin) => {
    const there = rows.filter((row) => plugin in row.schedulerPlugins);
    const points = entriesOf(
      there.map(({ release, schedulerPlugins: all }) => {
        const at = (all[plugin] ?? []).map((point) => [point, ""] as const);
        return [release, Object.fromEntries(at)] as const;
      }),
    );
    const [, ...minors] = rangeOf(plugin, rows, there).split(" ");
    return [minors.length === 0 ? plugin : `${plugin} ${minors.join("")}`, points] as const;
  });
  return {
    releases: Object.fromEntries(rows.map(({ release }) => [String(minorOf(release)), release])),
    kinds: entriesOf(rows.map(({ release, kinds }) => [release, kinds] as const)),
    types: Object.fromEntries(types),
    schedulerPlugins: Object.fromEntries(plugins),
  };
}

type Entries = readonly [release: string, entries: Readonly<Record<string, string>>];

function entriesOf(rows: readonly Entries[]): Record<string, string> {
  const releases = rows.map(([release]) => ({ release }));
  return Object.fromEntries(
    namesIn(rows.map(([, entries]) => entries)).map((name) => {
      const there = rows.filter(([, entries]) => name in entries);
      const types = new Set(there.map(([, entries]) => entries[name] ?? ""));
      if (types.size > 1) {
        throw new Error(`${name} has several types: ${[...types].join(", ")}`);
      }
      const [type = ""] = types;
      const range = rangeOf(
        name,
        releases,
        there.map(([release]) => ({ release })),
      );
      return [name, range.replace(name, type).trim()];
    }),
  );
}

/** The name, and the minors of those where it is if not all have it: `name 30-`. */
function rangeOf(
  name: string,
  rows: readonly Pick<ConfigFileRow, "release">[],
  there: readonly Pick<ConfigFileRow, "release">[],
): string {
  const minors = there.map(({ release }) => minorOf(release));
  const [since = 0, until = 0] = [minors[0], minors.at(-1)];
  if (until - since + 1 !== minors.length) {
    throw new Error(`${name} is in the minors ${minors.join(", ")}: not one after another`);
  }
  const [oldest, newest] = [rows[0], rows.at(-1)].map((row) => minorOf(row?.release ?? ""));
  const range = `${since === oldest ? "" : since}-${until === newest ? "" : until}`;
  return range === "-" ? name : `${name} ${range}`;
}

/** Fields whose types of the same package are named without it, so that versions are alike. */
function local(fields: Readonly<Record<string, string>>, type: string): Record<string, string> {
  const own = type.slice(0, type.lastIndexOf("."));
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => [name, each.replace(`${own}.`, ".")]),
  );
}

function namesIn(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].sort();
}
