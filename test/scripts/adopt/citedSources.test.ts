import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { citedSources, namesIn } from "../../../scripts/adopt/citations";
import { configurationDecisions } from "../../../scripts/adopt/configurationDecisions";
import { goldenDecisions } from "../../../scripts/adopt/goldenDecisions";
import { machineDecisions } from "../../../scripts/adopt/machineDecisions";
import { readOurSources } from "../../../scripts/adopt/ourSources";
import type { ReleaseFacts } from "../../../scripts/adopt/releaseFacts";
import { machinerySources, talosSources } from "../../provider/talosSources";

const root = join(__dirname, "../../..");
const lists = join(root, "test/provider/testdata/talosFiles");

/** The files of each release of Talos that was recorded: comments may name any of them. */
const upstream = [
  ...new Set(
    readdirSync(lists).flatMap((name) =>
      brotliDecompressSync(readFileSync(join(lists, name)))
        .toString()
        .trim()
        .split("\n"),
    ),
  ),
];
const ours = readOurSources(root);
const { citations, foreign } = citedSources(ours, upstream);

/** Clauses about other projects, or about our own oracle, name files of these. */
const OTHER_PROJECTS =
  /kubernetes\s+v\d|k8s\.io|apimachinery|siderolabs\/go-|cosi-project|etcd v\d|talos-backup|oracle\//i;

it("finds the sources in Talos of hundreds of our files", () => {
  expect(citations.size).toBeGreaterThan(300);
  expect(citations.get("internal/app/machined/pkg/controllers/k8s/kubelet_spec.go")).toContain(
    "provider/config/rules/deniedFlags.ts",
  );
});

it("finds each source that a comment about Talos names", () => {
  const lost = foreign.filter(({ file, name }) => {
    const text = ours[file] ?? "";
    return clausesWith(name, text).some(isOfTalos);
  });
  expect(lost).toEqual([]);
});

it("loses a source that is spelled wrongly, beside one of another project", () => {
  const text =
    "// Sources: Talos v1.14.1, `k8s/kubelet_speck.go`; kubernetes v1.35, `app/core.go`.";
  const { foreign: names } = citedSources({ "a.ts": text }, upstream);
  const lost = names.filter(({ name }) => clausesWith(name, text).some(isOfTalos));
  expect(lost.map(({ name }) => name)).toEqual(["k8s/kubelet_speck.go"]);
});

it("names in its parts only files of ours that exist", () => {
  const facts = {
    talos: talosSources.at(-1),
    machinery: machinerySources.at(-1),
    contractFunctions: {},
    constants: {},
    resources: {},
    services: [],
    release: "v1.14.1",
  } as unknown as ReleaseFacts;
  const sections = [
    ...configurationDecisions(facts, facts),
    ...machineDecisions(facts, facts, {}),
    goldenDecisions([]),
  ];
  const files = sections.flatMap((section) => section.ours);
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !existsSync(join(root, file.replace(/\*.*$/, ""))))).toEqual([]);
  const named = sections.flatMap((section) => section.upstream).filter((path) => path !== "go.mod");
  const isThere = (path: string) =>
    upstream.some((each) => each === path || each.startsWith(`${path}/`));
  // What is generated is left out of the lists.
  expect(named.filter((path) => !isThere(path) && path !== "pkg/machinery/api")).toEqual([]);
});

function isOfTalos(clause: string): boolean {
  return /\btalos\b|machinery/i.test(clause) && !OTHER_PROJECTS.test(clause);
}

/** The clauses of comments that name a file, each with the project that it is of. */
function clausesWith(name: string, text: string): string[] {
  const flat = text.replace(/\n\s*(?:\*|\/\/)/g, " ");
  return flat.split(/(?<=\.)\s+(?=[A-Z])|;|\n/).filter((clause) => namesIn(clause).includes(name));
}
