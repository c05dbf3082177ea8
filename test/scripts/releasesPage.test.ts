import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lte } from "semver";
import packageJson from "../../package.json";
import { componentTable } from "../../provider/config/flags/componentTable";
import { NEWEST_ACCEPTED_MINOR } from "../../provider/config/releases/acceptedTalos";
import { etcdMinorByTalosMinor } from "../../provider/config/releases/etcdRelease";
import { supportedKubernetes } from "../../provider/config/releases/supportTable";
import { versionContracts } from "../../provider/config/releases/versionContract";
import { talosSchemas } from "../../provider/config/schema/talosSchemas";
import { modFileOf, ORACLE } from "../../scripts/adopt/adoptedFiles";
import { LAB_RELEASES } from "../../scripts/testing/labReleases";
import { labKubernetes } from "../conformance/support/labRelease";

const root = join(__dirname, "../..");
const page = readFileSync(join(root, "docs/releases.md"), "utf8");

/** The rows of the table whose first column has a heading. */
function tableOf(heading: string): string[][] {
  const [, table = ""] = page.split(new RegExp(`^(?=\\| ${heading} +\\|)`, "m"));
  const [, , ...rows] = (table.split("\n\n")[0] ?? "").trim().split("\n");
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Of the Talos minors that machines may run, oldest first. */
const acceptedSchemas = [...talosSchemas.values()].filter(
  ({ talosMinor }) => talosMinor <= NEWEST_ACCEPTED_MINOR,
);
const minors = acceptedSchemas.map(({ talosMinor }) => talosMinor);
const talos = tableOf("Talos");
const kubernetes = tableOf("Kubernetes");

it("has each Talos that is accepted, with the Kubernetes and the etcd of the code", () => {
  expect(minors.at(-1)).toBe(NEWEST_ACCEPTED_MINOR);
  const facts = minors.map((minor) => {
    const { oldestMinor, newestMinor } = supportedKubernetes(`v1.${minor}`) ?? {};
    return [
      `v1.${minor}`,
      `1.${oldestMinor ?? ""} to 1.${newestMinor ?? ""}`,
      `3.${etcdMinorByTalosMinor.get(minor) ?? ""}`,
    ];
  });
  expect(talos.map(([name, , , range, etcd]) => [name, range, etcd])).toEqual(facts);
});

it("says which release each was read from, which code is asked, and what labs run", () => {
  const facts = acceptedSchemas.map(({ talosMinor, file }) => {
    const modules = readFileSync(join(root, ORACLE, modFileOf(`v1.${talosMinor}`)), "utf8");
    const asked = /talos\/pkg\/machinery (v\S+)/.exec(modules)?.[1];
    const run = LAB_RELEASES.find((release) => release.startsWith(`v1.${talosMinor}.`)) ?? "none";
    return [file["x-talosVersion"], asked, run];
  });
  const told = talos.map(([, , , , , read = "", asked, run]) => [read.split(" ")[0], asked, run]);
  expect(told).toEqual(facts);
});

it("names a release of this package since which each is supported", () => {
  for (const [, since = ""] of talos) {
    expect(lte(since, packageJson.version)).toBe(true);
  }
});

it("names the contracts that a program may choose", () => {
  const [oldest = "", newest = ""] = [versionContracts[0], versionContracts.at(-1)];
  expect(page).toContain(`a version contract from ${oldest} to ${newest},`);
});

it("has each Kubernetes that an accepted Talos runs, and the release that its flags were read from", () => {
  const ranges = minors.flatMap((minor) => {
    const range = supportedKubernetes(`v1.${minor}`);
    return range === undefined ? [] : [{ minor, ...range }];
  });
  const oldest = Math.min(...ranges.map(({ oldestMinor }) => oldestMinor));
  const newest = Math.max(...ranges.map(({ newestMinor }) => newestMinor));
  const facts = Array.from({ length: newest - oldest + 1 }, (_, index) => {
    const each = oldest + index;
    const runs = ranges
      .filter(({ oldestMinor, newestMinor }) => oldestMinor <= each && each <= newestMinor)
      .map(({ minor }) => `v1.${minor}`);
    const by = [...new Set([runs[0], runs.at(-1)])].join(" to ");
    const real = labKubernetes.find((release) => release.startsWith(`v1.${each}.`)) ?? "none";
    return [`1.${each}`, by, componentTable.releases[String(each)], real];
  });
  expect(kubernetes.map(([name, by, read, , real]) => [name, by, read, real])).toEqual(facts);
});
