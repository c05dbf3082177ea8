import { isInMinors, type Minors } from "../flags/componentTable";
import filesFile from "../gen/kubernetesConfigFiles.json";
import { unversionedTypes } from "./unversionedTypes";

/**
 * What components of several Kubernetes minors know in their configuration files. An entry is a text,
 * `type` or `type since-until`: what the whole has in all of its minors has none.
 */
export interface ConfigFileTable {
  /** The release that was read of each minor: `37` → `v1.37.2`. */
  readonly releases: Readonly<Record<string, string>>;
  /** The type of each kind, by API version and kind. */
  readonly kinds: Readonly<Record<string, string>>;
  /** The fields of each type; or the name of a type with the same fields. */
  readonly types: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** The extension points of each plugin, with the minors of both. */
  readonly schedulerPlugins: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A name of the table, with the minors that have it. */
export interface Entry extends Minors {
  /** A type: `int32`, `duration`, `any`, `bytes`, `[]string`, `map[]string`, or the name of a struct. */
  readonly type: string;
}

/**
 * Written by `scripts/recordConfigFiles`, which runs the code that decodes the files of each release;
 * tests compare with its source.
 */
export const configFileTable = filesFile as unknown as ConfigFileTable;

const TYPES = new Map(
  Object.entries<string | Readonly<Record<string, string>>>({
    ...configFileTable.types,
    ...unversionedTypes,
  }),
);

/** The types of the kinds that a minor knows, by API version and kind. */
export function kindsAt(minor: number): ReadonlyMap<string, string> {
  return entriesAt(configFileTable.kinds, minor);
}

/** The fields of a type, also those of other minors; undefined for a type that is no struct. */
export function fieldsOf(type: string): ReadonlyMap<string, Entry> | undefined {
  const known = TYPES.get(type);
  if (typeof known === "string") {
    return fieldsOf(known);
  }
  if (known === undefined) {
    return undefined;
  }
  const own = type.slice(0, type.lastIndexOf("."));
  return new Map(
    Object.entries(known).map(([name, text]) => {
      const entry = entryOf(text);
      return [name, { ...entry, type: entry.type.replace(/(?<=^|\])\./, `${own}.`) }] as const;
    }),
  );
}

/** A plugin of the scheduler: its minors, and its extension points with theirs. */
export interface SchedulerPlugin extends Minors {
  readonly points: ReadonlyMap<string, Minors>;
}

/** The scheduler's own plugins, by name. */
export const schedulerPlugins: ReadonlyMap<string, SchedulerPlugin> = new Map(
  Object.entries(configFileTable.schedulerPlugins).map(([text, points]) => {
    const { type: name, ...minors } = entryOf(text);
    const at = Object.entries(points).map(
      ([point, range]) => [point, entryOf(` ${range}`)] as const,
    );
    return [name, { ...minors, points: new Map(at) }] as const;
  }),
);

/** The entries that a minor has, without their minors. */
function entriesAt(
  entries: Readonly<Record<string, string>>,
  minor: number,
): ReadonlyMap<string, string> {
  const here = Object.entries(entries).flatMap(([name, text]) => {
    const entry = entryOf(text);
    return isInMinors(entry, minor) ? [[name, entry.type] as const] : [];
  });
  return new Map(here);
}

function entryOf(text: string): Entry {
  const [type = "", range = ""] = text.split(" ");
  const [since = "", until = ""] = range.split("-");
  return {
    type,
    ...(since !== "" && { since: Number(since) }),
    ...(until !== "" && { until: Number(until) }),
  };
}
