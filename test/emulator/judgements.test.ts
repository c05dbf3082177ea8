import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";

const ROOT = join(__dirname, "../..");

/** Formats and arithmetic, and tables that are made from releases: nothing here decides what a machine does. */
const NO_JUDGES = [
  "configError",
  "encode",
  "frozenMemo",
  "ipNetwork",
  "lruCache",
  "path",
  "machineConfig",
  "suggestion",
  "talosMinor",
  "admissionPlugins",
  "componentTable",
  "etcdFlags",
  "installerImage",
  "kubeletSchemas",
  "talosSchemas",
];

/** Rooms of the wire and of keys, whose answers the real talosctl and kubectl read too. */
const WIRE = /^provider\/(?:api|base|pki|rpc)\//;

/** The modules of `provider/` that may judge, whose values a file of the emulator imports. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from "(\.[^"]+)";/gms)]
    .map(([, from = ""]) => posix.join(posix.dirname(file), from))
    .filter((path) => path.startsWith("provider/") && !WIRE.test(path))
    .map((path) => path.replace("provider/config/", ""));
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
