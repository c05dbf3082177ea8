import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { documentReaders, unreadDocuments } from "../../../provider/config/documentReaders";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { installerImage } from "../../../provider/config/installerImage";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { replacedSettings } from "../../../provider/config/rules/replacedSettings";
import { talosSchemas, widestSchema } from "../../../provider/config/talosSchemas";
import { renderConfiguration } from "../../../provider/renderConfiguration";
import { machineConfigurationInputs } from "../resources/samples";

const root = join(__dirname, "../../..");
const known = new Set(talosSchemas.get(13)?.documents.keys());
const kinds = [...documentReaders].map(([kind]) => kind);
const unread = [...documentReaders].flatMap(([kind, reader]) =>
  typeof reader === "object" ? [{ kind, ...reader }] : [],
);
const rotation = kinds.filter((kind) => documentReaders.get(kind) === "rotation");
const harmless = kinds.filter((kind) => documentReaders.get(kind) === "harmless");

function documentOf(kind: string): ConfigDocument {
  return { apiVersion: "v1alpha1", kind, name: "one" };
}

/** Files that only judge, merge or write a configuration, or say where something stands. */
const judges =
  /^provider\/config\/(?:rules|generate|schema|gen|settings)\/|provider\/(?:api\/)?gen\/|^components\/cluster\/planned\//;
const tables =
  /\/(?:effectTable|versionContract|generateMachineConfig|merge|documentReaders|secretPlace)\.ts$/;

/** The sources that could depend on what a configuration says. */
const sources = ["provider", "components", "cli", "preview", "policies"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter((file) => file.endsWith(".ts") && !judges.test(file) && !tables.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

function readersOf(path: string): string[] {
  return sources.filter(({ text }) => text.includes(path)).map(({ file }) => file);
}

describe("documents that the package doesn't read", () => {
  it("has an answer for each kind that is newer than v1.13, and for no other", () => {
    const newer = [...widestSchema.documents.keys()].filter((kind) => !known.has(kind));
    expect(kinds.toSorted()).toEqual(newer.toSorted());
    expect(newer.length).toBeGreaterThanOrEqual(45);
  });

  it.each(unread)("names a place that Talos has, instead of $kind", ({ instead }) => {
    const paths = instead.match(/\b(?:machine|cluster)\.[\w.]+/g) ?? [];
    expect(paths.length > 0 || instead.includes("option")).toBe(true);
    for (const path of paths) {
      const [first = "", ...rest] = path.split(".");
      const patch = rest.reduceRight<ConfigDocument>((value, key) => ({ [key]: value }), {});
      const { failures } = refusedBy([{ [first]: patch }]);
      expect(failures.filter((reason) => reason.includes("unknown"))).toEqual([]);
    }
  });

  it("calls no kind harmless whose former place something reads", () => {
    const places = replacedSettings.filter(({ kind }) => harmless.includes(kind));
    expect(places.length).toBeGreaterThanOrEqual(5);
    for (const { path } of places) {
      const readers = readersOf(String(path.at(-1))).filter((file) => file !== JUDGES_BOTH);
      expect(readers).toEqual([]);
    }
    expect(readersOf("kubernetesTalosAPIAccess")).toEqual(["provider/config/manifestInputs.ts"]);
  });

  it.each([...harmless, "HostnameConfig"])("lets %s pass", (kind) => {
    expect(unreadDocuments([documentOf(kind)], [])).toEqual([]);
  });

  it("lets documents for rotations pass only as the package wrote them", () => {
    for (const kind of rotation) {
      const own = documentOf(kind);
      expect(unreadDocuments([own], [own])).toEqual([]);
      const changes: readonly (readonly [ConfigDocument[], ConfigDocument[]])[] = [
        [[own], []],
        [[{ ...own, acceptedCAs: [] }], [own]],
        [[], [own]],
      ];
      for (const [after, before] of changes) {
        expect(unreadDocuments(after, before)).toMatchObject([{ document: `${kind}/one` }]);
      }
    }
    expect(rotation).toHaveLength(4);
  });
});

/** It reads a field, and the document in its place too. */
const JUDGES_BOTH = "provider/config/componentFiles/componentFiles.ts";

let base: readonly ConfigDocument[];

beforeAll(async () => {
  const inputs = await machineConfigurationInputs();
  base = generateMachineConfig({ ...inputs, installerImage: installerImage(inputs) });
});

function refusedBy(patches: readonly ConfigDocument[]) {
  const result = renderConfiguration(base, patches, { schema: widestSchema });
  const failures = "failures" in result ? result.failures : [];
  return {
    failures: failures.map(({ reason }) => reason),
    properties: failures.map(({ property }) => property),
  };
}

describe("a patch with a document that the package doesn't read", () => {
  it.each(unread.filter(({ kind }) => widestSchema.documents.get(kind)?.named !== true))(
    "$kind is refused with what to use, and without Talos' own advice",
    ({ kind, instead }) => {
      const { failures, properties } = refusedBy([{ apiVersion: "v1alpha1", kind }]);
      expect(failures).toEqual([expect.stringContaining(`${kind}: can't be used`)]);
      expect(failures[0]).toContain(`Use ${instead} instead`);
      expect(properties).toEqual(["patches"]);
    },
  );

  it("is rendered if nothing depends on the document", () => {
    const patch = {
      apiVersion: "v1alpha1",
      kind: "SysctlConfig",
      params: { "vm.swappiness": "1" },
    };
    expect(refusedBy([patch]).failures).toEqual([]);
  });
});
