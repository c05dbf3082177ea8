import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { installerImage } from "../../../provider/config/installer/installerImage";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { ownedDocuments } from "../../../provider/config/ownedDocuments";
import { kubeletVersion } from "../../../provider/config/releases/kubernetesSkew";
import { replacedSettings } from "../../../provider/config/rules/replacedSettings";
import { talosSchemas, widestSchema } from "../../../provider/config/schema/talosSchemas";
import { formsOfKinds } from "../../../provider/config/settings/formsOfKinds";
import { namedKinds } from "../../../provider/config/settings/namedKinds";
import { settingPlaces } from "../../../provider/config/settings/settingPlaces";
import { renderConfiguration } from "../../../provider/render/renderConfiguration";
import { machineConfigurationInputs } from "../resources/samples";
import { documentReaders } from "./documentReaders";

const root = join(__dirname, "../../..");
const known = new Set(talosSchemas.get(13)?.documents.keys());
const kinds = [...documentReaders].map(([kind]) => kind);
const read = kinds.filter((kind) => documentReaders.get(kind) === "read");
const rotation = kinds.filter((kind) => documentReaders.get(kind) === "rotation");
const harmless = kinds.filter((kind) => documentReaders.get(kind) === "harmless");

function documentOf(kind: string): ConfigDocument {
  return { apiVersion: "v1alpha1", kind, name: "one" };
}

/** Files that only judge, merge or write a configuration, or say where something stands. */
const judges =
  /^provider\/config\/(?:rules|generate|schema|gen|settings)\/|provider\/(?:api\/)?gen\/|^components\/cluster\/planned\//;
const tables =
  /\/(?:effectTable|contractFeatures|sameForm|generateMachineConfig|merge|ownedDocuments|secretPlace)\.ts$/;

/** The sources that could depend on what a configuration says. */
const sources = ["provider", "components", "cli", "preview", "policies"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter((file) => file.endsWith(".ts") && !judges.test(file) && !tables.test(file))
  .map((file) => ({ file, text: withoutComments(readFileSync(join(root, file), "utf8")) }));

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
}

function readersOf(path: string): string[] {
  return sources.filter(({ text }) => text.includes(path)).map(({ file }) => file);
}

describe("documents of Talos v1.14", () => {
  it("has an answer for each kind that is newer than v1.13, and for no other", () => {
    const newer = [...widestSchema.documents.keys()].filter((kind) => !known.has(kind));
    expect(kinds.toSorted()).toEqual(newer.toSorted());
    expect(newer.length).toBeGreaterThanOrEqual(45);
  });

  it.each(read)("reads %s through the places of settings", (kind) => {
    const tables = [settingPlaces, formsOfKinds, namedKinds].flatMap((table) =>
      table.map((row) => row.kind),
    );
    expect([...tables, "DiscoveryServiceConfig"]).toContain(kind);
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

  it.each([...harmless, ...read, "HostnameConfig"])("lets %s pass", (kind) => {
    expect(ownedDocuments([documentOf(kind)], [])).toEqual([]);
  });

  it("lets documents for rotations pass only as the package wrote them", () => {
    for (const kind of rotation) {
      const own = documentOf(kind);
      expect(ownedDocuments([own], [own])).toEqual([]);
      const changes: readonly (readonly [ConfigDocument[], ConfigDocument[]])[] = [
        [[own], []],
        [[{ ...own, acceptedCAs: [] }], [own]],
        [[], [own]],
      ];
      for (const [after, before] of changes) {
        expect(ownedDocuments(after, before)).toMatchObject([{ document: `${kind}/one` }]);
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

describe("a patch with a document", () => {
  it("is refused beside the field, as Talos refuses it", () => {
    const image = "ghcr.io/siderolabs/kubelet:v1.35.0";
    const { failures, properties } = refusedBy([
      { apiVersion: "v1alpha1", kind: "KubeletConfig", image },
    ]);
    expect(failures).toEqual([expect.stringContaining("machine.kubelet")]);
    expect(properties).toEqual(["patches"]);
  });

  it("is rendered instead of the field, and found by what reads that", () => {
    const image = "ghcr.io/siderolabs/kubelet:v1.35.1";
    const result = renderConfiguration(
      base,
      [
        "machine:\n  kubelet:\n    $patch: delete\n",
        { apiVersion: "v1alpha1", kind: "KubeletConfig", image, config: {} },
      ],
      { schema: widestSchema },
    );
    expect("rendered" in result && kubeletVersion(result.rendered.outline)).toBe("v1.35.1");
  });

  it("is rendered if nothing depends on the document", () => {
    const patch = {
      apiVersion: "v1alpha1",
      kind: "SysctlConfig",
      params: { "vm.swappiness": "1" },
    };
    expect(refusedBy([patch]).failures).toEqual([]);
  });

  it("is refused with keys of the cluster", () => {
    const patch = { apiVersion: "v1alpha1", kind: "KubeServiceAccountConfig" };
    expect(refusedBy([patch]).failures).toEqual([
      expect.stringContaining("can't be set, changed or deleted by patches"),
    ]);
  });
});
