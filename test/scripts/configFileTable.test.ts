import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  configFileTable,
  fieldsOf,
  kindsAt,
  schedulerPlugins,
} from "../../provider/config/componentFiles/fileTypes";
import { isInMinors } from "../../provider/config/flags/componentTable";
import { minorOf } from "../../scripts/componentTable";
import { type ConfigFileRow, configFileTableOf } from "../../scripts/configFileTable";
import { moduleVersion } from "../../scripts/kubernetesSource";
import { moduleCache } from "../provider/talosSources";

const releases = Object.values(configFileTable.releases);

/** Where the code has structs, by the prefix of their names in the table. */
const SOURCES: readonly (readonly [prefix: string, module: string, files: readonly string[]])[] = [
  ["config/v1.", "kube-scheduler", ["config/v1/types.go", "config/v1/types_pluginargs.go"]],
  ["audit/v1.", "apiserver", ["pkg/apis/audit/v1/types.go"]],
  ["apiserver/v1.", "apiserver", ["pkg/apis/apiserver/v1/types.go"]],
  ["apiserver/v1beta1.", "apiserver", ["pkg/apis/apiserver/v1beta1/types.go"]],
  ["api/v1.", "pod-security-admission", ["admission/api/v1/types.go"]],
];

describe.each(releases)("the types of Kubernetes %s", (release) => {
  const folder = (module: string) => join(moduleCache, "k8s.io", moduleVersion(module, release));
  const minor = minorOf(release);

  // Skipped where Go hasn't downloaded the module: there is nothing to compare with.
  test.for(SOURCES)("%s… have the fields of the code", ([prefix, module, files], { skip }) => {
    skip(!existsSync(folder(module)));
    const text = files.map((file) => readFileSync(join(folder(module), file), "utf8")).join("\n");
    const structs = [...text.matchAll(/^type (\w+) struct \{\n([^]*?)^\}/gm)].flatMap(
      ([, name = "", body = ""]) => {
        const fields = fieldsOf(prefix + name);
        return fields === undefined ? [] : [{ name, body, fields }];
      },
    );
    const known = [...kindsAt(minor).values()].some((type) => type.startsWith(prefix));
    expect(structs.length > 0 || !known).toBe(true);
    for (const { name, body, fields } of structs) {
      const tags = [...body.matchAll(/^\t[^/\n]*`json:"([\w-]+)/gm)].map(([, tag = ""]) => tag);
      const here = [...fields].filter(([, entry]) => isInMinors(entry, minor));
      const own = here.map(([field]) => field).filter((field) => !INLINE.includes(field));
      const given = tags.filter((tag) => !INLINE.includes(tag));
      expect([name, ...own].sort()).toEqual([name, ...given].sort());
    }
  });

  test.skipIf(!existsSync(folder("kubernetes")))(
    "the scheduler has the plugins of the code",
    () => {
      const file = "pkg/scheduler/framework/plugins/names/names.go";
      const text = readFileSync(join(folder("kubernetes"), file), "utf8");
      const names = [...text.matchAll(/= "(\w+)"/g)].map(([, name = ""]) => name);
      const here = [...schedulerPlugins].filter(([, plugin]) => isInMinors(plugin, minor));
      expect(here.map(([name]) => name).sort()).toEqual(names.sort());
    },
  );
});

/** Fields of types that are part of others, and that all kinds have. */
const INLINE = ["kind", "apiVersion", "metadata", "enableProfiling", "enableContentionProfiling"];

describe("a table", () => {
  const row = (minor: number, types: ConfigFileRow["types"]): ConfigFileRow => ({
    release: `v1.${minor}.0`,
    kinds: {},
    schedulerPlugins: {},
    types,
  });

  test("has the minors of a field, and a type that is like another once", () => {
    const table = configFileTableOf([
      row(30, { "a/v1.A": { b: "string", c: "[]a/v1.B" } }),
      row(31, { "a/v1.A": { b: "string" }, "a/v2.A": { b: "string" }, "a/v3.A": { b: "string" } }),
    ]);
    expect(table.types).toEqual({
      "a/v1.A": { b: "string", c: "[].B -30" },
      "a/v2.A": { b: "string" },
      "a/v3.A": "a/v2.A",
    });
  });

  test("has no place for a field that changes its type", () => {
    const rows = [row(30, { A: { b: "string" } }), row(31, { A: { b: "bool" } })];
    expect(() => configFileTableOf(rows)).toThrow("b has several types: string, bool");
  });
});
