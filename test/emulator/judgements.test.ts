import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";

const ROOT = join(__dirname, "../..");

/** Formats and arithmetic, and tables that are made from releases: nothing here decides what a machine does. */
const NO_JUDGES = [
  "configError",
  "yaml/encode",
  "frozenMemo",
  "schema/ipNetwork",
  "lruCache",
  "path",
  "machineConfig",
  "suggestion",
  "releases/talosMinor",
  "flags/admissionPlugins",
  "flags/componentTable",
  "flags/etcdFlags",
  "installer/installerImage",
  "schema/kubeletSchemas",
  "schema/talosSchemas",
];

/** Rooms of the wire and of keys, whose answers the real talosctl and kubectl read too. */
const WIRE = /^provider\/(?:api|base|pki|rpc)\b/;

/** The modules of `provider/` that may judge, whose values a file of the emulator imports. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const imports = /^(?:import|export) (?!type )\{([^}]*)\} from "(\.[^"]+)";/gms;
  return [...text.matchAll(imports)].flatMap(([, names = "", from = ""]) => {
    const room = posix.join(posix.dirname(file), from);
    return room.startsWith("provider/") && !WIRE.test(room)
      ? valuesIn(names).map((name) => moduleOf(room, name))
      : [];
  });
}

/** The names of a list that are no types, as their module calls them. */
function valuesIn(names: string): readonly string[] {
  return names
    .split(",")
    .map((name) => name.trim().replace(/ as .*/s, ""))
    .filter((name) => name !== "" && !name.startsWith("type "));
}

/** The module that a room's index has a name from. */
function moduleOf(room: string, name: string): string {
  const index = readFileSync(join(ROOT, room, "index.ts"), "utf8");
  const exports = [...index.matchAll(/^export \{([^}]*)\} from "\.\/([^"]+)";/gms)];
  const found = exports.find(([, names = ""]) => valuesIn(names).includes(name));
  if (found === undefined) {
    throw new Error(`${room}/index.ts has no ${name}`);
  }
  return posix.join(room, found[2] ?? "").replace("provider/config/", "");
}

/** The rows of the list, by module. */
function listed(): ReadonlyMap<string, string> {
  const page = readFileSync(join(ROOT, "emulator/talos/README.md"), "utf8");
  const [, section = ""] = /## Who judges\n(.*?)\n## /s.exec(page) ?? [];
  return new Map(
    [...section.matchAll(/^\| `([^`]+)` *\|.*\| *(\S.*?) *\|$/gm)].map(
      ([, module = "", judge = ""]) => [module, judge] as const,
    ),
  );
}

describe("judgements that simulated machines take from the product", () => {
  const files = globSync("emulator/**/*.ts", { cwd: ROOT, exclude: ["emulator/dist"] }).map(
    (file) => relative(ROOT, join(ROOT, file)).replaceAll("\\", "/"),
  );
  const imported = new Set(files.flatMap(importsOf));

  it("are in the list of the emulator's README, and no others", () => {
    const judges = [...imported].filter((module) => !NO_JUDGES.includes(module)).sort();
    expect([...listed().keys()].sort()).toEqual(judges);
  });

  it("have another judge each, which is there", () => {
    const judges = [...listed().values()];
    expect(judges.filter((judge) => judge !== "the same" && !/`[\w/.]+`/.test(judge))).toEqual([]);
    const tests = judges.flatMap((judge) => [...judge.matchAll(/`([\w/.]+)`/g)]);
    expect(tests.length).toBeGreaterThan(3);
    expect(tests.filter(([, test = ""]) => !existsSync(join(ROOT, "test", test)))).toEqual([]);
  });

  it("are told apart from modules that the emulator still imports", () => {
    expect(NO_JUDGES.filter((module) => !imported.has(module))).toEqual([]);
  });
});
