import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kubeletSchemas } from "../../provider/config/schema/kubeletSchemas";
import { talosSchemas } from "../../provider/config/schema/talosSchemas";
import { modFileOf } from "../../scripts/adopt/adoptedFiles";
import { renderSchemaFiles } from "../../scripts/schemaFiles";

const root = join(__dirname, "../..");
const minorsIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(/\.json$/, ""))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

/** The one list of the minors that the package knows. */
const minors = [...talosSchemas.keys()].map((minor) => `v1.${minor}`);

it("lists each schema that there is", () => {
  const written = readFileSync(join(root, "provider/config/gen/schemaFiles.ts"), "utf8");
  expect(written).toBe(renderSchemaFiles(minorsIn("provider/config/schema")));
  expect(minorsIn("provider/config/schema/kubelet")).toEqual(minors);
  expect([...kubeletSchemas.keys()]).toEqual([...talosSchemas.keys()]);
});

it.each([...talosSchemas.values()])(
  "the oracle of v1.$talosMinor is of the same release",
  (schema) => {
    const file = join(root, "test/conformance/oracle", modFileOf(`v1.${schema.talosMinor}`));
    const [, release] = /talos\/pkg\/machinery (v\S+)/.exec(readFileSync(file, "utf8")) ?? [];
    expect(release).toBe(schema.file["x-talosVersion"]);
  },
);
