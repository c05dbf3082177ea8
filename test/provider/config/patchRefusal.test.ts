import { applyPatches, type Patch } from "../../../provider/config/patches/patch";
import { talosSchema } from "../../../provider/config/schema/talosSchemas";
import { patchBase as base, problemsOf } from "./patchBase";

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
    expect(() => applyPatches(base, [patch], { schema: talosSchema("v1.13") })).toThrow(message);
  });

  test("all problems of all patches are reported at once, by patch", () => {
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
  ])("an empty patch is rejected, as in talosctl: %s", (_, patch) => {
    expect(() => applyPatches(base, [patch])).toThrow("patches[0]: is empty: leave it out");
  });

  it.each([null, undefined, false, 7])("an invalid patch is rejected: %s", (value) => {
    const given = [value] as Parameters<typeof applyPatches>[1];
    expect(() => applyPatches(base, given)).toThrow(`patches[0]: is ${String(value)}, which is no`);
  });

  test("the name of a file is not a patch", () => {
    expect(() => applyPatches(base, ["worker.yaml", "@worker.yaml"])).toThrow(
      [
        "2 problems in the machine configuration:",
        '  - patches[0]: is the name of a file, not a patch: write "@worker.yaml" to have the file read',
        "  - patches[1]: names a file that was not read: only MachineConfiguration and ConfigurationApply read files",
      ].join("\n"),
    );
  });

  test("a patch from a file is named by the file", () => {
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
