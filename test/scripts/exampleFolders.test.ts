import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import semver from "semver";
import packageJson from "../../package.json";

const root = join(__dirname, "../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** What a folder is, beside its program. */
interface Manifest {
  readonly private: boolean;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Folders with a program in TypeScript, which people copy. */
const folders = ["examples", "templates"].flatMap((parent) =>
  readdirSync(join(root, parent), { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)Pulumi(Policy)?\.yaml$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(parent, file))
    .filter((file) => textOf(file).includes("runtime: nodejs"))
    .map((file) => dirname(file)),
);

const { devDependencies, peerDependencies, engines, name: ownName, version } = packageJson;
const others: Readonly<Record<string, string>> = devDependencies;

/** From the release that this package is developed with, as the range of a project. */
const rangeOf = (release = "") => `^${semver.major(release)}.${semver.minor(release)}.0`;

/** Ranges of packages: this package's own peers first. */
function expectedRange(name: string): string {
  const peers: Readonly<Record<string, string>> = { ...peerDependencies, [ownName]: `^${version}` };
  return peers[name] ?? rangeOf(others[name]);
}

/** Names of the packages that the programs of a folder import. */
function importsOf(folder: string): string[] {
  const programs = readdirSync(join(root, folder)).filter((file) => file.endsWith(".ts"));
  return programs.flatMap((file) =>
    [...textOf(join(folder, file)).matchAll(/ from "([^".][^"]*)"/g)]
      .map(([, specifier = ""]) => specifier)
      .filter((specifier) => !specifier.startsWith("node:"))
      .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")),
  );
}

test("there are folders", () => {
  expect(folders.length).toBeGreaterThan(15);
  expect(folders).toContain("templates/cluster");
});

describe.each(folders)("%s", (folder) => {
  it("is a project that can be copied, with the packages that its program needs", () => {
    expect(existsSync(join(root, folder, "package.json"))).toBe(true);
    const manifest = JSON.parse(textOf(join(folder, "package.json"))) as Manifest;
    const imported = new Set([...importsOf(folder), "@pulumi/pulumi"]);
    if (imported.has(ownName)) {
      Object.keys(peerDependencies).forEach((peer) => imported.add(peer));
    }
    expect(manifest.private).toBe(true);
    expect(manifest.dependencies).toEqual(
      Object.fromEntries([...imported].map((name) => [name, expectedRange(name)])),
    );
  });

  it("is compiled by the compiler that Pulumi's runner can load, as the quickstart is", () => {
    const { devDependencies: own } = JSON.parse(textOf(join(folder, "package.json"))) as Manifest;
    expect(Object.keys(own)).toEqual(["@types/node", "typescript"]);
    expect(own.typescript).toBe(rangeOf(devDependencies.typescript));
    const oldest = semver.minVersion(engines.node)?.major ?? 0;
    expect(semver.minVersion(own["@types/node"] ?? "")?.major).toBeGreaterThanOrEqual(oldest);
    expect(textOf(join(folder, "tsconfig.json"))).toBe(textOf("examples/quickstart/tsconfig.json"));
  });
});
