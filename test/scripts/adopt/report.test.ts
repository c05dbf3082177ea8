import type { SchemaFile } from "../../../provider/config/schema/configSchema";
import kubeletV112 from "../../../provider/config/schema/kubelet/v1.12.json";
import kubeletV114 from "../../../provider/config/schema/kubelet/v1.14.json";
import schemaV112 from "../../../provider/config/schema/v1.12.json";
import schemaV114 from "../../../provider/config/schema/v1.14.json";
import { configurationDecisions } from "../../../scripts/adopt/configurationDecisions";
import { goldenDecisions } from "../../../scripts/adopt/goldenDecisions";
import { machineDecisions } from "../../../scripts/adopt/machineDecisions";
import { nextSteps } from "../../../scripts/adopt/nextSteps";
import type { ReleaseFacts } from "../../../scripts/adopt/releaseFacts";
import { renderReport } from "../../../scripts/adopt/report";
import { machinerySources, talosSources } from "../../provider/talosSources";

/** What was recorded of a release, and a few facts of other kinds. */
function recorded(
  release: string,
  schemas: readonly [documents: unknown, kubelet: unknown],
  more: Partial<ReleaseFacts>,
): ReleaseFacts {
  const talos = talosSources.find((source) => source.release === release);
  const machinery = machinerySources.find((source) => source.release === release);
  if (talos === undefined || machinery === undefined) {
    throw new Error(`Talos ${release} isn't recorded`);
  }
  return {
    release,
    talos,
    machinery,
    contractFunctions: {},
    constants: {},
    resources: {},
    services: [],
    kubernetesLibraries: "v0.1.0",
    documents: schemas[0] as SchemaFile,
    kubelet: schemas[1] as SchemaFile,
    api: { talos: release, services: {}, messages: {}, enums: {} },
    ...more,
  };
}

const nodename = "Nodenames.kubernetes.talos.dev";
const before = recorded("v1.12.1", [schemaV112, kubeletV112], {
  contractFunctions: { Old: "return contract.Greater(A)", Same: "return true" },
  constants: { DefaultEtcdVersion: '"3.6.7"', Port: "1", Unread: "1" },
  resources: { [nodename]: { nodename: "string" }, "Gone.talos.dev": {} },
  services: ["apid"],
});
const after = recorded("v1.14.1", [schemaV114, kubeletV114], {
  contractFunctions: { Same: "return true", New: "return contract.Greater(B)" },
  constants: { DefaultEtcdVersion: '"3.7.1"', Port: "2", Unread: "2" },
  resources: { [nodename]: { nodename: "[]string" }, "New.talos.dev": {} },
  services: ["apid", "sandboxd"],
});
const ours = { "provider/api/a.ts": `"${nodename}", Port`, "emulator/b.ts": '"sandboxd"' };

const sections = [
  ...configurationDecisions(before, after),
  ...machineDecisions(before, after, ours),
  goldenDecisions([
    { name: "same", before: "a", after: "a" },
    { name: "worker", before: "a: 1\nb: 2", after: "a: 1" },
  ]),
];
const pointsOf = (title: string) =>
  sections.find((section) => section.title === title)?.points ?? [];

it("begins with what a machine of the release runs, as a row to copy", () => {
  expect(pointsOf("Support")).toEqual(
    expect.arrayContaining([
      'The row: `["1.14", { oldestMinor: 32, newestMinor: 37 }],`',
      "The default release of `etcd`: `3.6.7` → `3.7.1`",
    ]),
  );
});

it("says what is gone, what is deprecated, and what came", () => {
  expect(pointsOf("Removals")).toContain("The contract's function `Old` is gone");
  expect(pointsOf("Removals").at(-1)).toContain("`v1alpha1: machine.sysctls`");
  expect(pointsOf("Version contract")).toEqual([
    "`Old` is gone",
    "`New` is new: `contract.Greater(B)`",
  ]);
  expect(pointsOf("Kinds and fields").join("\n")).toContain("The kind `KubePrismConfig` is new");
  expect(pointsOf("Denied flags and protected settings")).toContain(
    "Of apiServer, the flag `tls-min-version` is new",
  );
  expect(pointsOf("Settings of kubelet")).toContain("`defaultPodSysctls` is new: map of string");
});

it("names our files that read a resource, a service or a constant", () => {
  expect(pointsOf("Resources that are read")).toEqual([
    `Of \`${nodename}\`, the field \`nodename\`: \`string\` → \`[]string\`: \`provider/api/a.ts\``,
    "New types, which nothing reads: `New.talos.dev`",
    "Types that are gone, which nothing read: `Gone.talos.dev`",
  ]);
  expect(pointsOf("Services")).toEqual(["The service `sandboxd` is new: `emulator/b.ts`"]);
  expect(pointsOf("Images and constants")).toEqual([
    'The constant `DefaultEtcdVersion`: `"3.6.7"` → `"3.7.1"`',
    "The constant `Port`: `1` → `2`: `provider/api/a.ts`",
  ]);
  expect(pointsOf("Controllers").join("\n")).toContain("`block.FSScrubController` is new");
});

it("shows the lines of configurations that are written otherwise", () => {
  expect(pointsOf("Configurations that are written otherwise")).toEqual([
    "worker\n\n  ```diff\n    a: 1\n  - b: 2\n  ```",
  ]);
});

it("says that a part is unknown where the release could not be read", () => {
  const unread = { ...after, documents: undefined, api: undefined };
  const all = [...configurationDecisions(before, unread), ...machineDecisions(before, unread, {})];
  const unknown = all.filter(({ points }) => points.join().includes("could not be read"));
  expect(unknown.map(({ title }) => title)).toEqual(["Kinds and fields", "API"]);
});

it("renders parts with points in their order, then those without, then what to do", () => {
  const text = renderReport({
    release: "v1.14.1",
    since: "v1.12.1",
    sections: [
      { title: "A", question: "Decide.", upstream: ["go.mod"], ours: ["a.ts"], points: ["one"] },
      { title: "B", question: "", upstream: [], ours: ["b.ts"], points: [] },
    ],
    failures: ["it failed"],
    written: ["gen/a.ts"],
    next: ["first"],
  });
  expect(text).toBe(`# Talos v1.14.1, compared with v1.12.1

1 point in 1 part is to be decided. Files of Talos are named as in its repository.

## What could not be done

Correct this first, then run the command again: without it, the report is incomplete.

- it failed

## 1. A (1)

Decide.

Talos: \`go.mod\`. Ours: \`a.ts\`.

- one

## Alike in both releases

- B: \`b.ts\`

## Generated files

- \`gen/a.ts\`

## Then

1. first
`);
});

it("asks for the components of a Kubernetes minor that is new", () => {
  const [decide] = nextSteps(after);
  expect(decide).toMatch(/^Decide/);
  const machinery = {
    ...after.machinery,
    kubernetes: { ...after.machinery.kubernetes, "1.15": [33, 38] as const },
    imageTags: { ...after.machinery.imageTags, kubernetes: "1.38.0" },
  };
  const [first] = nextSteps({ ...after, release: "v1.15.0-alpha.1", machinery });
  expect(first).toContain("`node scripts/run.mjs recordComponents v1.38.0`");
});
