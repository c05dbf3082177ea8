import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ConfigError } from "../../../../provider/config/configError";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import { applyPatches } from "../../../../provider/config/patches/patch";
import {
  newestSchema,
  talosSchema,
  talosSchemas,
} from "../../../../provider/config/schema/talosSchemas";
import { decodeDocuments, encodeDocuments } from "../../../../provider/config/yaml/encode";
import { yamlDocument, yamlValue } from "../arbitraries";
import { newerGoldenFolder, testRecordings } from "../golden";
import { goldenPatches, refusedPatches } from "../goldenPatches";
import { patchBase as base, patchFolder as folder, problemsOf } from "../patchBase";
import { placeholderBundle } from "../placeholders";

const cases = readdirSync(folder).filter((name) => !name.endsWith(".yaml"));

function read(name: string, file: string): string {
  return readFileSync(join(folder, name, file), "utf8");
}

function patchesOf(name: string): string[] {
  return readdirSync(join(folder, name))
    .filter((file) => file !== "expected.yaml")
    .sort()
    .map((file) => read(name, file));
}

test.each(cases)("%s: byte for byte what `talosctl machineconfig patch` v1.12.1 makes", (name) => {
  expect(encodeDocuments(applyPatches(base, patchesOf(name)))).toBe(read(name, "expected.yaml"));
});

test.each(cases)("%s: the same with patches as plain data", (name) => {
  const patches = patchesOf(name).flatMap((text) => decodeDocuments(text));
  expect(encodeDocuments(applyPatches(base, patches))).toBe(read(name, "expected.yaml"));
});

const schema = talosSchema("v1.12");

testRecordings("what talosctl makes of patches", goldenPatches(), (recording) => {
  const documents = decodeDocuments(recording.configuration);
  expect(encodeDocuments(applyPatches(documents, recording.patches, { schema }))).toBe(
    recording.expected,
  );
});

testRecordings("what talosctl refuses to patch", refusedPatches(), ({ inputs }) => {
  const refusals = inputs.map(({ configuration, patches }) =>
    problemsOf(() => applyPatches(decodeDocuments(configuration), patches, { schema })),
  );
  expect(refusals.flat()).not.toEqual([]);
});

describe("for Talos v1.14", () => {
  const v114 = talosSchemas.get(14) ?? newestSchema;
  /** What is otherwise on purpose: see test/conformance/support/deviations.ts. */
  const otherwise = [
    // An expression that the patch doesn't name stays. A document that is not there is misspelt.
    "patch-unattended-image",
    "patch-delete-missing-document",
    // A Unicode separator is escaped: see encode.test.ts.
    "patch-scalar-quoting",
  ];
  const same = goldenPatches(newerGoldenFolder).filter(
    ({ name }) => !otherwise.includes(name.replace(/, .*/, "")),
  );

  testRecordings("what talosctl v1.14.1 makes of patches", same, (recording) => {
    // The base of older contracts was generated for another Kubernetes.
    const base114 = recording.configuration.replaceAll(":v1.36.3", ":v1.37.0");
    const documents = decodeDocuments(base114, v114);
    const patched = applyPatches(documents, recording.patches, { schema: v114 });
    expect(encodeDocuments(patched, v114)).toBe(recording.expected);
  });

  test("a document of control planes may be missing on a worker alone", () => {
    const worker = { machine: { type: "worker" }, cluster: {} };
    const controlPlane = { machine: { type: "controlplane" }, cluster: {} };
    const [flannel, prism] = ["KubeFlannelCNIConfig", "KubePrismConfig"].map(
      (kind) => `apiVersion: v1alpha1\nkind: ${kind}\n$patch: delete\n`,
    );
    expect(applyPatches([worker], [flannel ?? ""], { schema: v114 })).toEqual([worker]);
    expect(problemsOf(() => applyPatches([worker], [prism ?? ""], { schema: v114 }))).toMatchObject(
      [
        {
          message:
            "there is no document KubePrismConfig to delete from; the configuration has v1alpha1",
        },
      ],
    );
    expect(
      problemsOf(() => applyPatches([controlPlane], [flannel ?? ""], { schema: v114 })),
    ).toHaveLength(1);
  });

  test("documents of one patch are merged in turn, after all deletions", () => {
    const config = { machine: { type: "worker", features: { rbac: true } }, cluster: {} };
    const patch = [
      "machine: {features: {diskQuotaSupport: true}}",
      "machine: {features: {rbac: {$patch: delete}}}",
      "machine: {features: {diskQuotaSupport: false, rbac: true}}",
    ].join("\n---\n");
    const [patched] = applyPatches([config], [patch], { schema: v114 });
    expect(patched).toMatchObject({ machine: { features: { rbac: true } } });
    expect(problemsOf(() => applyPatches([config], [patch], { schema }))).toHaveLength(1);
  });

  test("an empty list of search domains says something", () => {
    const patch = "apiVersion: v1alpha1\nkind: ResolverConfig\nsearchDomains: {domains: []}\n";
    const patched = applyPatches([{ machine: {}, cluster: {} }], [patch], { schema: v114 });
    expect(encodeDocuments(patched, v114)).toContain("searchDomains:\n    domains: []\n");
  });
});

describe("does not change its inputs", () => {
  const generated = generateMachineConfig({
    clusterName: "example",
    endpoint: "https://api.example.com:6443",
    machineType: "worker",
    secretsBundle: placeholderBundle,
    versionContract: "v1.12",
    kubernetesVersion: "1.35.0",
    installDisk: "/dev/xvda",
    installerImage: "ghcr.io/siderolabs/installer:v1.12.1",
  });

  test("a patch of empty sections changes nothing", () => {
    const patch = { machine: {}, cluster: { network: {} } };
    expect(applyPatches(generated, [patch])).toEqual(generated);
    expect(encodeDocuments(applyPatches(generated, [patch]))).toBe(encodeDocuments(generated));
  });

  test("nothing changes without patches", () => {
    fc.assert(
      fc.property(fc.array(yamlDocument), (documents) => {
        expect(applyPatches(documents, [])).toEqual(documents);
      }),
    );
  });

  test("arguments don't change, and the result shares nothing with them", () => {
    const free = fc.dictionary(fc.constantFrom("a", "b", "c"), yamlValue);
    const patch = fc.record({ machine: fc.record({ kubelet: fc.record({ extraConfig: free }) }) });
    fc.assert(
      fc.property(fc.array(patch, { minLength: 1, maxLength: 3 }), (patches) => {
        const before = structuredClone({ generated, patches });
        const patched = attempt(() => applyPatches(generated, patches));
        expect({ generated, patches }).toEqual(before);
        patched?.forEach(scribble);
        expect({ generated, patches }).toEqual(before);
      }),
    );
  });
});

test("a document without a patch does not change, even if it is unknown", () => {
  const unknown = { apiVersion: "v1", kind: "FutureConfig", b: 1, a: 2 };
  const patched = applyPatches([...base, unknown], [{ machine: { sysctls: { a: "1" } } }]);
  expect(patched.at(-1)).toEqual(unknown);
  expect(Object.keys(patched.at(-1) ?? {})).toEqual(Object.keys(unknown));
});

test("values are written as Talos writes them", () => {
  const patch = {
    apiVersion: "v1alpha1",
    kind: "LinkConfig",
    name: "eth0",
    addresses: [{ address: "FD00:0::1/64" }],
    routes: [{ gateway: "FD00:0:0::2" }],
  };
  const disk = "machine: {disks: [{device: /dev/sdb, partitions: [{size: 100000000}]}]}";
  expect(applyPatches(base, [patch, disk])).toMatchObject([
    { machine: { disks: [{ partitions: [{ size: "100 MB" }] }] } },
    { kind: "HostnameConfig" },
    { addresses: [{ address: "fd00::1/64" }], routes: [{ gateway: "fd00::2" }] },
  ]);
});

test("the machine configuration comes first, also when a patch brings it", () => {
  const hostname = { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "stable" };
  const patched = applyPatches([hostname], [{ machine: { type: "worker" } }]);
  expect(patched.map(({ kind }) => kind)).toEqual([undefined, "HostnameConfig"]);
});

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof ConfigError) {
      return undefined;
    }
    throw error;
  }
}

/** Changes a value wherever it can be changed. */
function scribble(value: unknown): void {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(scribble);
    Object.assign(value, { scribbled: true });
  }
}
