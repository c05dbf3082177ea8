import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FORMER_RELEASES, NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { checkedAddOns } from "./addOns/checkedAddOns";
import { standardCluster } from "./cluster/standardCluster";

const root = join(__dirname, "../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const filesBelow = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name));

/** Where people find how to begin a cluster. */
const files = [
  "README.md",
  "scripts/schema/examples/program.yaml",
  "plugin/schema.json",
  ...filesBelow("docs", /\.md$/),
  ...filesBelow("environments", /\.yaml$/),
  ...filesBelow("examples", /\.(ts|py|go|yaml)$/),
  ...filesBelow("templates", /\.(ts|yaml)$/),
];

const kinds = {
  talosVersion: /talos_?version\W{1,16}(?:pulumi\.String\(")?(v1[\d.]*\d)/gi,
  versionContract: /version_?contract\W{1,16}(?:pulumi\.String\(")?(v1[\d.]*\d)/gi,
  kubernetesVersion: /kubernetes_?version\W{1,16}(?:pulumi\.String\(")?(v1[\d.]*\d)/gi,
} as const;

/** A cluster of an earlier contract, which is upgraded. */
const OLDER = "examples/day-two/index.ts";

/** A cluster with an add-on that the newest Talos has no place for. */
const FORMER = "examples/gpu/index.ts";

test.each(Object.entries(kinds))("every page and program has the newest %s", (kind, pattern) => {
  const newest = NEWEST_RELEASES[kind as keyof typeof kinds];
  const named = files.flatMap((file) =>
    [...textOf(file).matchAll(pattern)].map(([, release = ""]) => ({ file, release })),
  );
  const places = new Set(named.map(({ file }) => file.split("/")[0]));
  expect([...places]).toEqual(
    expect.arrayContaining(["README.md", "docs", "environments", "examples", "templates"]),
  );
  const others = named.filter(({ release }) => release !== newest);
  expect(others).toEqual([
    ...(kind === "versionContract" ? [{ file: OLDER, release: "v1.12" }] : []),
    { file: FORMER, release: FORMER_RELEASES[kind as keyof typeof kinds] },
  ]);
});

test("the only program of the minor before has an add-on that the newest Talos has no place for", () => {
  const { talosVersion, kubernetesVersion } = NEWEST_RELEASES;
  const addOns = { nvidiaDevicePlugin: true };
  const cluster = { ...standardCluster, kubernetesVersion, addOns };
  expect(textOf(FORMER)).toContain("nvidiaDevicePlugin: true");
  expect(checkedAddOns({ ...cluster, talosVersion })).toHaveLength(1);
  expect(checkedAddOns({ ...cluster, ...FORMER_RELEASES })).toEqual([]);
});

test("what the schema gives as an example is newest", () => {
  const examples = textOf("plugin/schema.json").matchAll(/for example `(?:talos-)?(v1[\d.]*\d)/g);
  const { talosVersion, versionContract, kubernetesVersion } = NEWEST_RELEASES;
  const named = [...examples].map(([, release = ""]) => release);
  expect(named).toEqual(expect.arrayContaining(Object.values(NEWEST_RELEASES)));
  // An add-on has releases of its own.
  expect(
    [...new Set(named)].filter(
      (release) => ![talosVersion, versionContract, kubernetesVersion].includes(release as never),
    ),
  ).toEqual(["v1.37.1"]);
});
