import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ConfigError, type ConfigProblem } from "../../../provider/config/configError";
import { decodeDocuments, encodeDocuments } from "../../../provider/config/encode";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches, type Patch } from "../../../provider/config/patch";
import { talosSchema } from "../../../provider/config/talosSchemas";
import { yamlDocument, yamlValue } from "./arbitraries";
import { testRecordings } from "./golden";
import { goldenPatches, refusedPatches } from "./goldenPatches";
import { placeholderBundle } from "./placeholders";

const folder = join(__dirname, "testdata/patch");
const base = decodeDocuments(readFileSync(join(folder, "base.yaml"), "utf8"));
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

describe("changes nothing that it was given", () => {
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

  test("a patch of empty sections leaves the configuration as it is", () => {
    const patch = { machine: {}, cluster: { network: {} } };
    expect(applyPatches(generated, [patch])).toEqual(generated);
    expect(encodeDocuments(applyPatches(generated, [patch]))).toBe(encodeDocuments(generated));
  });

  test("without patches, whatever the documents are", () => {
    fc.assert(
      fc.property(fc.array(yamlDocument), (documents) => {
        expect(applyPatches(documents, [])).toEqual(documents);
      }),
    );
  });

  test("arguments stay as they were, and the result shares nothing with them", () => {
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

test("a document that no patch names stays as it is, even one that is unknown", () => {
  const unknown = { apiVersion: "v1", kind: "FutureConfig", b: 1, a: 2 };
  const patched = applyPatches([...base, unknown], [{ machine: { sysctls: { a: "1" } } }]);
  expect(patched.at(-1)).toEqual(unknown);
  expect(Object.keys(patched.at(-1) ?? {})).toEqual(Object.keys(unknown));
});

test("an empty text in a patch changes nothing, false does", () => {
  const patch = {
    cluster: { clusterName: "" },
    machine: { install: { wipe: false, grubUseUKICmdline: false } },
  };
  const [document] = applyPatches(base, [patch]);
  expect(document).toMatchObject({
    cluster: { clusterName: "example" },
    machine: { install: { grubUseUKICmdline: false } },
  });
});

test("a patch of a volume keeps what it does not name, which Talos 1.12.1 would empty", () => {
  const volume = {
    apiVersion: "v1alpha1",
    kind: "UserVolumeConfig",
    name: "data",
    provisioning: { diskSelector: { match: "!system_disk" }, minSize: "10GiB" },
  };
  const grow = {
    apiVersion: "v1alpha1",
    kind: "UserVolumeConfig",
    name: "data",
    provisioning: { grow: true },
  };
  expect(applyPatches([volume], [grow])).toEqual([
    {
      ...volume,
      provisioning: { diskSelector: { match: "!system_disk" }, grow: true, minSize: "10GiB" },
    },
  ]);
});

test("a URL merges part by part", () => {
  const link = {
    apiVersion: "v1alpha1",
    kind: "SideroLinkConfig",
    apiUrl: "grpc://a.example.com:8090?jointoken=x",
  };
  const patch = { ...link, apiUrl: "https://b.example.com" };
  expect(applyPatches([link], [patch])).toMatchObject([
    { apiUrl: "https://b.example.com?jointoken=x" },
  ]);
});

test("the user of a URL is a part of its own", () => {
  const link = {
    apiVersion: "v1alpha1",
    kind: "SideroLinkConfig",
    apiUrl: "grpc://a:b@c.com:8090",
  };
  const patch = { ...link, apiUrl: "https://d.com" };
  expect(applyPatches([link], [patch])).toMatchObject([{ apiUrl: "https://a:b@d.com" }]);
});

test("interfaces of the same name merge within one patch, too", () => {
  const patch =
    "machine: {network: {interfaces: [{interface: eth0, mtu: 1400}, {interface: eth0, dhcp: true}]}}";
  expect(applyPatches(base, [patch])[0]).toMatchObject({
    machine: { network: { interfaces: [{ interface: "eth0", mtu: 1400, dhcp: true }] } },
  });
});

describe("what releases merge otherwise", () => {
  const patched = (minor: string, ...patches: Patch[]) =>
    applyPatches(base, patches, { schema: talosSchema(minor) });

  test.each([
    ["v1.11", 20],
    ["v1.12", 0],
  ])("a zero that differs from nothing counts since v1.12: %s", (minor, expected) => {
    const zswap = "apiVersion: v1alpha1\nkind: ZswapConfig\n";
    const documents = patched(minor, `${zswap}maxPoolPercent: 20`, `${zswap}maxPoolPercent: 0`);
    expect(documents.at(-1)).toMatchObject({ maxPoolPercent: expected });
  });

  test.each([
    ["v1.12", "b"],
    ["v1.13", null],
  ])("an argument without a value replaces the one before since v1.13: %s", (minor, expected) => {
    const args = (value: string) => `machine: {kubelet: {extraArgs: {a: ${value}}}}`;
    expect(patched(minor, args("b"), args(""))[0]).toMatchObject({
      machine: { kubelet: { extraArgs: { a: expected } } },
    });
  });

  test("rules for images replace those of the same image that were there before the patch", () => {
    const rules = (...items: string[]) =>
      `{apiVersion: v1alpha1, kind: ImageVerificationConfig, rules: [${items.join(", ")}]}`;
    const [skip, deny] = ["{image: a/*, skip: true}", "{image: a/*, deny: true}"];
    expect(patched("v1.13", rules(skip, deny)).at(-1)).toMatchObject({
      rules: [{ skip: true }, { deny: true }],
    });
    expect(patched("v1.13", rules(skip), rules(deny)).at(-1)).toHaveProperty("rules", [
      { image: "a/*", deny: true },
    ]);
  });
});

test("what is incomplete until a later patch loses nothing on the way", () => {
  const volume = "{apiVersion: v1alpha1, kind: VolumeConfig, name: EPHEMERAL, encryption: ";
  const patches = [`${volume}{cipher: aes-xts-plain64}}`, `${volume}{provider: luks2}}`];
  expect(applyPatches(base, patches).at(-1)).toMatchObject({
    encryption: { provider: "luks2", cipher: "aes-xts-plain64" },
  });
});

test("items are told apart by what Talos reads, not by how it is written", () => {
  const interfaces = (name: string) =>
    `machine: {network: {interfaces: [{interface: ${name}, mtu: 1400}]}}`;
  expect(applyPatches(base, [interfaces("1"), interfaces('"1"')])[0]).toMatchObject({
    machine: { network: { interfaces: [{ interface: "1", mtu: 1400 }] } },
  });
});

test("nothing can't be merged into a free value", () => {
  const overrides = (value: string) => `machine: {baseRuntimeSpecOverrides: {hostname: ${value}}}`;
  expect(problemsOf(() => applyPatches(base, [overrides("a"), overrides("null")]))).toMatchObject([
    {
      path: "machine.baseRuntimeSpecOverrides.hostname",
      message: expect.stringContaining(
        "a text in the configuration, nothing in the patch",
      ) as unknown,
    },
  ]);
});

test("a key without a value is there, a field without one is not", () => {
  const patch = "machine: {sysctls: {a: }, nodeLabels: {x: y}, certSANs: }";
  const [document] = applyPatches(base, [patch, "machine: {nodeLabels: {x: }}"]);
  expect(document).toMatchObject({
    machine: { sysctls: { a: "" }, nodeLabels: { x: "y" }, certSANs: [] },
  });
});

test("values come out as Talos writes them", () => {
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

describe("deleting", () => {
  test("reaches into free values", () => {
    const patch = {
      cluster: { apiServer: { auditPolicy: { rules: { $patch: "delete" } } } },
    };
    const [document] = applyPatches(base, [patch]);
    expect(document).toMatchObject({ cluster: { apiServer: { auditPolicy: { kind: "Policy" } } } });
    expect(JSON.stringify(document)).not.toContain("Metadata");
  });

  test("chooses a list item by a number too", () => {
    const vlans = (items: ConfigDocument[]): Patch => ({
      machine: { network: { interfaces: [{ interface: "eth0", vlans: items }] } },
    });
    const problems = problemsOf(() =>
      applyPatches(base, [vlans([{ vlanId: 100 }]), vlans([{ vlanId: 100, $patch: "delete" }])]),
    );
    expect(problems).toEqual([
      {
        document: "patches[1]",
        path: "machine.network.interfaces[0].vlans[0]",
        message:
          "a part of a list item can't be deleted: delete the whole item, and add it anew in the next patch",
      },
    ]);
  });

  test("a known field that is not set is no mistake, an unknown key is", () => {
    expect(applyPatches(base, [{ machine: { sysctls: { $patch: "delete" } } }])).toEqual(base);
    const inUnsetSection = { machine: { registries: { config: { $patch: "delete" } } } };
    expect(applyPatches(base, [inUnsetSection])).toEqual(base);
    expect(
      problemsOf(() => applyPatches(base, ["machine: {sysctls: {a: {$patch: delete}}}"])),
    ).toEqual([
      {
        document: "patches[0]",
        path: "machine.sysctls.a",
        message:
          "can't be deleted from v1alpha1: it is not there; check the spelling, or leave it out of the patch",
      },
    ]);
  });

  test("may have a document of its own, and comes first in the machine configuration", () => {
    const patch = "cluster: {clusterName: new}\n---\ncluster: {clusterName: {$patch: delete}}";
    expect(applyPatches(base, [patch])[0]).toMatchObject({ cluster: { clusterName: "new" } });
    const twice = "machine: {}\n---\nmachine: {}";
    expect(problemsOf(() => applyPatches(base, [twice]))).toMatchObject([
      { message: "v1alpha1 is there twice: put everything for it in one document" },
    ]);
  });

  test("does not find what the same patch brings", () => {
    const watchdog = "apiVersion: v1alpha1\nkind: WatchdogTimerConfig\n";
    const patch = `${watchdog}device: /dev/watchdog0\n---\n${watchdog}$patch: delete\n`;
    expect(problemsOf(() => applyPatches(base, [patch]))).toMatchObject([
      { message: expect.stringContaining("there is no document WatchdogTimerConfig") as unknown },
    ]);
  });

  test.each<readonly [string, Patch, string]>([
    [
      "a list item that is not there",
      "cluster: {apiServer: {admissionControl: [{name: Nope, $patch: delete}]}}",
      'patches[0]: cluster.apiServer.admissionControl[name="Nope"]: can\'t be deleted',
    ],
    [
      "a document that is not there",
      "{apiVersion: v1alpha1, kind: KmsgLogConfig, name: nope, $patch: delete}",
      "patches[0]: there is no document KmsgLogConfig/nope to delete from; the configuration has v1alpha1, HostnameConfig",
    ],
    [
      "the whole configuration",
      "$patch: delete",
      "the machine configuration as a whole can't be deleted",
    ],
    [
      "an item without a key",
      "machine: {pods: [{$patch: delete}]}",
      "machine.pods[0]: say which item to delete",
    ],
    [
      "something else",
      "machine: {network: {$patch: replace}}",
      'machine.network.$patch: "delete" is the only thing',
    ],
  ])("refuses %s", (_, patch, message) => {
    expect(() => applyPatches(base, [patch])).toThrow(message);
  });
});

describe("a patch that can't be applied", () => {
  test.each<readonly [string, Patch, string]>([
    [
      "a misspelt key",
      "machine: {kubelt: {}}",
      'patches[0]: machine.kubelt: unknown key; did you mean "kubelet"?',
    ],
    [
      "a key beside its section",
      "kubelet: {}",
      'patches[0]: kubelet: unknown key; did you mean "machine.kubelet"?',
    ],
    ["an unknown key", "machine: {network: {banana: 1}}", "unknown key; allowed here: "],
    [
      "a misspelt kind",
      "{apiVersion: v1alpha1, kind: HostnamConfig}",
      'did you mean "HostnameConfig"?',
    ],
    [
      "a kind without a version",
      "{kind: HostnameConfig, auto: stable}",
      "patches[0]: apiVersion: is required",
    ],
    [
      "a document without its name",
      "{apiVersion: v1alpha1, kind: KmsgLogConfig, url: 'tcp://a:1'}",
      "patches[0]: name: is required",
    ],
    [
      "a wrong type",
      "machine: {certSANs: a.example.com}",
      'patches[0]: machine.certSANs: has to be a list of texts, not "a.example.com"',
    ],
    [
      "a wrong word",
      "machine: {install: {diskSelector: {type: hd}}}",
      '"hd" is not allowed: did you mean "hdd"?',
    ],
    ["text that is not YAML", "machine: [", "patches[0]: line 1: a bracket"],
    [
      "free values that do not fit",
      "cluster: {apiServer: {admissionControl: [{name: PodSecurity, configuration: {defaults: [a]}}]}}",
      "configuration.defaults: can't be merged: a mapping in the configuration, a list in the patch",
    ],
    [
      "a document twice",
      "machine: {}\n---\ncluster: {}\n",
      "patches[0], document 2 (v1alpha1): v1alpha1 is there twice",
    ],
  ])("%s", (_, patch, message) => {
    expect(() => applyPatches(base, [patch])).toThrow(message);
  });

  test("all problems of all patches are told at once, by patch", () => {
    const problems = problemsOf(() =>
      applyPatches(base, [
        "machine: {foo: 1}",
        { cluster: { bar: 1, network: { dnsDomain: [] } } },
        "machine: {}",
        "",
      ]),
    );
    expect(problems.map(({ document, path }) => `${document} ${path}`)).toEqual([
      "patches[0] machine.foo",
      "patches[1] cluster.bar",
      "patches[1] cluster.network.dnsDomain",
      "patches[3] ",
    ]);
  });

  test.each<readonly [string, Patch]>([
    ["no text", ""],
    ["a comment", "# nothing\n"],
    ["a version alone", "version: v1alpha1"],
    ["empty documents", "---\n---\n"],
    ["an empty mapping", "{}"],
    ["an empty object", {}],
    ["an empty list", "[]"],
    ["no operations", []],
  ])("an empty patch is refused, as talosctl does: %s", (_, patch) => {
    expect(() => applyPatches(base, [patch])).toThrow("patches[0]: is empty: leave it out");
  });

  test("the name of a file is not a patch", () => {
    expect(() => applyPatches(base, ["worker.yaml", "@worker.yaml"])).toThrow(
      [
        "2 problems in the machine configuration:",
        '  - patches[0]: is the name of a file, not a patch: write "@worker.yaml" to have the file read',
        "  - patches[1]: names a file, which nobody has read: files are read by MachineConfiguration and ConfigurationApply in the program",
      ].join("\n"),
    );
  });

  test("a patch from a file is called by it", () => {
    const patches = [
      { file: "patches/a.yaml", text: "machine: {foo: 1}" },
      { file: "b.json", text: '[{"op": "remove"}]' },
    ];
    expect(problemsOf(() => applyPatches(base, patches)).map(({ document }) => document)).toEqual([
      "patches[0] (patches/a.yaml)",
      "patches[1] (b.json), operation 1",
    ]);
  });

  test("a secret is never quoted", () => {
    const patch =
      "machine: {token: [s3cret], ca: {key: s3cret!}, tokn: s3cret}\ncluster: {secret: {a: s3cret}}";
    const problems = problemsOf(() => applyPatches(base, [patch]));
    expect(problems.map(({ path }) => path)).toEqual([
      "machine.tokn",
      "machine.token",
      "machine.ca.key",
      "cluster.secret",
    ]);
    expect(JSON.stringify(problems)).not.toContain("s3cret");
  });
});

function problemsOf(action: () => unknown): readonly ConfigProblem[] {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
  return [];
}

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
