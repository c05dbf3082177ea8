import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EtcdFlagTable } from "../provider/config/flags/etcdFlags";

/** The flags of one release of etcd, with the types of their values. */
export interface EtcdRelease {
  /** `v3.6.7`. */
  readonly release: string;
  readonly flags: Readonly<Record<string, string>>;
}

/** Where etcd defines its flags; releases moved most from the first file to the second. */
const FILES = ["etcdmain/config.go", "embed/config.go"];

/**
 * Reads the flags of a release of etcd: those that it defines, and those that it ignores.
 *
 * @param folder of the module go.etcd.io/etcd/server/v3
 * @throws Error if no flags are found, or a definition has another form
 */
export function readEtcdFlags(folder: string, release: string): EtcdRelease {
  const text = FILES.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  const defined = text.split(/\bfs\.(?=[A-Z]\w*\()/).slice(1);
  const flags = defined.flatMap((definition) => {
    const [, method = ""] = /^(\w+)\(/.exec(definition) ?? [];
    if (!/^(?:Var|\w+Var)$/.test(method)) {
      return [];
    }
    const name = /[,(]\s*"([a-z][a-z0-9-]*)",/.exec(definition)?.[1];
    if (name === undefined) {
      throw new Error(`etcd ${release}: a flag without a name: fs.${definition.slice(0, 60)}`);
    }
    const type = method.replace(/Var$/, "").toLowerCase();
    return [[name, type === "" ? "string" : type] as const];
  });
  const [, ignored = ""] = /\bignored = \[\]string\{([^}]*)\}/.exec(text) ?? [];
  const others = [...ignored.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  if (/\bAddFlag\(fs,/.test(text)) {
    others.push("feature-gates");
  }
  if (flags.length === 0 || others.length === 0) {
    throw new Error(`etcd ${release}: its places of flags have moved: ${FILES.join(", ")}`);
  }
  const all = [...flags, ...["help", ...others].map((name) => [name, "string"] as const)];
  return { release, flags: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** One table of several releases, oldest first. */
export function etcdTableOf(releases: readonly EtcdRelease[]): EtcdFlagTable {
  const minors = releases.map(({ release }) => Number(release.split(".")[1]));
  const names = [...new Set(releases.flatMap(({ flags }) => Object.keys(flags)))].sort();
  const entries = names.map((name) => {
    const there = minors.filter((_, index) => name in (releases[index]?.flags ?? {}));
    const [since = 0, until = 0] = [there[0], there.at(-1)];
    const type = releases.findLast(({ flags }) => name in flags)?.flags[name] ?? "string";
    const range = {
      ...(since > (minors[0] ?? 0) && { since }),
      ...(until < (minors.at(-1) ?? 0) && { until }),
    };
    return [name, { type, ...range }] as const;
  });
  return {
    releases: Object.fromEntries(
      releases.map(({ release }, index) => [String(minors[index]), release]),
    ),
    flags: Object.fromEntries(entries),
  };
}
