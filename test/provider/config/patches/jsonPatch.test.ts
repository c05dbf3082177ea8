import { ConfigError } from "../../../../provider/config/configError";
import { freeze } from "../../../../provider/config/frozenMemo";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import {
  applyJsonPatch,
  type JsonPatchOperation,
} from "../../../../provider/config/patches/jsonPatch";
import { applyPatches, type Patch } from "../../../../provider/config/patches/patch";

const document: ConfigDocument = {
  version: "v1alpha1",
  machine: { type: "worker", token: "s3cret", certSANs: ["a", "b"], sysctls: { "net/x~y": "1" } },
  cluster: { clusterName: "example" },
};

function machineAfter(...operations: JsonPatchOperation[]): unknown {
  return applyJsonPatch(document, operations, "patch").machine;
}

describe("operations", () => {
  test.each<readonly [string, JsonPatchOperation, object]>([
    ["add a key", { op: "add", path: "/machine/x", value: 1 }, { x: 1 }],
    ["add over a key", { op: "add", path: "/machine/type", value: "x" }, { type: "x" }],
    [
      "add to the end of a list",
      { op: "add", path: "/machine/certSANs/-", value: "c" },
      { certSANs: ["a", "b", "c"] },
    ],
    [
      "add before an item",
      { op: "add", path: "/machine/certSANs/1", value: "c" },
      { certSANs: ["a", "c", "b"] },
    ],
    [
      "add at an index from the end, as Talos allows",
      { op: "add", path: "/machine/certSANs/-1", value: "c" },
      { certSANs: ["a", "b", "c"] },
    ],
    [
      "remove an item from the end, as Talos allows",
      { op: "remove", path: "/machine/certSANs/-2" },
      { certSANs: ["b"] },
    ],
    [
      "remove a key that needs escapes",
      { op: "remove", path: "/machine/sysctls/net~1x~0y" },
      { sysctls: {} },
    ],
    ["replace a key", { op: "replace", path: "/machine/type", value: "x" }, { type: "x" }],
    [
      "replace a key that is not there, as Talos allows",
      { op: "replace", path: "/machine/x", value: "x" },
      { x: "x" },
    ],
    [
      "replace an item",
      { op: "replace", path: "/machine/certSANs/0", value: "c" },
      { certSANs: ["c", "b"] },
    ],
    [
      "copy",
      { op: "copy", from: "/machine/certSANs", path: "/machine/certSANs/0" },
      { certSANs: [["a", "b"], "a", "b"] },
    ],
    [
      "move within a list",
      { op: "move", from: "/machine/certSANs/0", path: "/machine/certSANs/1" },
      { certSANs: ["b", "a"] },
    ],
    ["test", { op: "test", path: "/machine/certSANs", value: ["a", "b"] }, {}],
  ])("%s", (_, operation, expected) => {
    expect(machineAfter(operation)).toEqual({ ...(document.machine as object), ...expected });
  });

  test("are applied in order, without changing their inputs", () => {
    const value = { a: [] };
    const before = structuredClone(document);
    expect(
      machineAfter(
        { op: "add", path: "/machine", value },
        { op: "copy", from: "/machine/a", path: "/machine/b" },
        { op: "add", path: "/machine/a/-", value: 1 },
      ),
    ).toEqual({ a: [1], b: [] });
    expect({ value, document }).toEqual({ value: { a: [] }, document: before });
  });

  // What resources render is frozen.
  test("change a frozen document, of which a copy is made", () => {
    const frozen = freeze(structuredClone(document));
    const operation: JsonPatchOperation = { op: "add", path: "/machine/kernel", value: { a: [] } };
    expect(applyJsonPatch(frozen, [operation], "it")).toMatchObject({
      machine: { kernel: { a: [] } },
    });
    expect(frozen).toEqual(document);
  });

  test("may address the whole document", () => {
    const whole: JsonPatchOperation[] = [
      { op: "test", path: "", value: document },
      { op: "replace", path: "", value: { machine: {} } },
    ];
    expect(applyJsonPatch(document, whole, "patch")).toEqual({ machine: {} });
  });

  test("a key may have any name", () => {
    const patched = machineAfter({ op: "add", path: "/machine/__proto__", value: { type: "x" } });
    expect(Object.keys(patched as object)).toContain("__proto__");
    expect(patched).toHaveProperty("type", "worker");
  });
});

test.each<readonly [string, JsonPatchOperation, string]>([
  [
    "no parent",
    { op: "add", path: "/machine/x/y", value: 1 },
    "patch, operation 1 (add): machine.x: is not there: check the spelling, or add it before",
  ],
  [
    "a parent without members",
    { op: "add", path: "/machine/type/y", value: 1 },
    "patch, operation 1 (add): machine.type: is a single value, with nothing inside",
  ],
  [
    "an inherited member",
    { op: "copy", from: "/machine/constructor", path: "/machine/x" },
    "patch, operation 1 (copy): machine.constructor: is not there: check the spelling, or add it before",
  ],
  [
    "nothing to remove",
    { op: "remove", path: "/machine/x" },
    "patch, operation 1 (remove): machine.x: is not there: check the spelling, or add it before",
  ],
  [
    "nothing to move",
    { op: "move", from: "/machine/certSANs/2", path: "/machine/x" },
    'patch, operation 1 (move): machine.certSANs["2"]: is not there: the list has 2 items',
  ],
  [
    "no place in a list",
    { op: "add", path: "/machine/certSANs/x", value: 1 },
    'patch, operation 1 (add): machine.certSANs.x: is no place in a list of 2 items: write an index, or "-" for its end',
  ],
  [
    "a test that fails",
    { op: "test", path: "/cluster/clusterName", value: "other" },
    'patch, operation 1 (test): cluster.clusterName: is "example", and the test wants "other"',
  ],
  [
    "a test of a secret that fails",
    { op: "test", path: "/machine/token", value: "an0ther" },
    "patch, operation 1 (test): machine.token: is not what the test wants",
  ],
  [
    "a test of the whole document that fails",
    { op: "test", path: "", value: {} },
    "patch, operation 1 (test): is not what the test wants",
  ],
  [
    "something else than a document",
    { op: "replace", path: "", value: [] },
    "patch, operation 1 (replace): can be replaced by a mapping only",
  ],
])("an operation that does not apply: %s", (_, operation, message) => {
  expect(() => applyJsonPatch(document, [operation], "patch")).toThrow(
    expect.objectContaining({ message }) as Error,
  );
});

describe("JSON patches of a configuration", () => {
  const operations: JsonPatchOperation[] = [
    { op: "add", path: "/machine/network", value: { hostname: "a" } },
    { op: "add", path: "/machine/sysctls/a", value: 2 },
    { op: "remove", path: "/machine/certSANs/0" },
  ];

  test.each<readonly [string, Patch]>([
    ["data", operations],
    ["JSON", JSON.stringify(operations, null, "\t")],
    [
      "YAML",
      `
# for one machine
---
- {op: add, path: /machine/network, value: {hostname: a}}
- op: add
  path: /machine/sysctls/a
  value: 2
- {op: remove, path: /machine/certSANs/0}
`,
    ],
    ["a file", { file: "patch.json", text: JSON.stringify(operations) }],
  ])("from %s give Talos' form", (_, patch) => {
    expect(applyPatches([document], [patch])).toEqual([
      {
        version: "v1alpha1",
        machine: {
          type: "worker",
          token: "s3cret",
          certSANs: ["b"],
          network: { hostname: "a" },
          sysctls: { a: "2", "net/x~y": "1" },
        },
        cluster: { clusterName: "example" },
      },
    ]);
  });

  test("are applied in order with strategic merge patches", () => {
    const patches: Patch[] = [
      { machine: { certSANs: ["c"] } },
      [{ op: "replace", path: "/machine/certSANs/2", value: "d" }],
      "machine: {certSANs: [e]}",
    ];
    expect(applyPatches([document], patches)[0]).toMatchObject({
      machine: { certSANs: ["a", "b", "d", "e"] },
    });
  });

  test("report all invalid operations at once", () => {
    const patch = [
      { op: "ad", path: "/a", value: 1 },
      { op: "add", path: "machine" },
      { op: "move", path: "/a" },
      { path: 1 },
      "x",
    ] as unknown as Patch;
    expect(() => applyPatches([document], [{}, patch])).toThrow(
      [
        "8 problems in the machine configuration:",
        "patches[0]: is empty: leave it out",
        'patches[1], operation 1: op: "ad" is not allowed: it has to be one of "add", "remove", "replace", "move", "copy", "test"',
        'patches[1], operation 2: path: "machine" has to start with "/": write a JSON pointer like /machine/network/hostname',
        "patches[1], operation 2: value: is required",
        "patches[1], operation 3: from: is required: a JSON pointer like /machine/network/hostname",
        'patches[1], operation 4: op: has to be one of "add", "remove", "replace", "move", "copy", "test"',
        "patches[1], operation 4: path: is required: a JSON pointer like /machine/network/hostname",
        'patches[1], operation 5: has to be a mapping with "op" and "path"',
      ].join("\n  - "),
    );
  });

  test("have a strictly validated result, and only their own problems are reported", () => {
    const broken = { ...document, cluster: { clusterNam: "x" } };
    const patch: Patch = [{ op: "add", path: "/machine/certSans", value: ["c"] }];
    expect(() => applyPatches([broken], [patch])).toThrow(
      new ConfigError([
        {
          document: "patches[0]",
          path: "machine.certSans",
          message: 'unknown key; did you mean "certSANs"?',
        },
      ]),
    );
  });

  test("are rejected for a configuration of several documents, with the reason", () => {
    const hostname = { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "stable" };
    expect(() => applyPatches([document, hostname], [operations])).toThrow(
      'patches[0]: a JSON patch (RFC 6902) can\'t name a document, so Talos accepts none for a configuration with several, and this one has v1alpha1, HostnameConfig: write it as a strategic merge patch, like {machine: {…}}; "$patch: delete" removes things',
    );
  });

  test("name the line of unreadable text", () => {
    expect(() => applyPatches([document], ["- op: add\n  path: [\n"])).toThrow(
      "patches[0]: line 2: a bracket that is not closed",
    );
    expect(() =>
      applyPatches([document], ["- {op: remove, path: /a}\n---\nmachine: {}\n"]),
    ).toThrow("patches[0]: line 2: a second document: a list has to be the only one");
  });
});
