import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import locked from "../../scripts/nodejs/package-lock.json";
import pinned from "../../scripts/nodejs/package.json";

interface Wanted {
  readonly running: { readonly version: string; readonly program: string };
  readonly needed: string;
  readonly packages: string;
  readonly cache: string;
  readonly install: (workspace: string) => Promise<void>;
}

let suitableNode: (wanted: Wanted) => Promise<string>;

beforeAll(async () => {
  const step = (await import(join(__dirname, "../../scripts/suitableNode.mjs"))) as {
    suitableNode: typeof suitableNode;
  };
  suitableNode = step.suitableNode;
});

const { platform, arch } = process;
const name = `node-${platform}-${arch}`;
const needed = "22.13";
const old = { version: "20.20.2", program: "/usr/bin/node" };

/** Runs npm as scripts/run.mjs does. */
function npm(folder: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync("npm", [...args, "--ignore-scripts", "--offline"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) {
    throw new Error(stderr);
  }
}

describe("suitableNode", () => {
  const folder = mkdtempSync(join(tmpdir(), "suitable-node-"));
  const cache = join(folder, "cache");
  let packages: string;
  let installed: string[];

  /** A package as npm has it for Node.js of this platform, with a program of two lines. */
  const pack = (program: string): void => {
    packages = mkdtempSync(join(folder, "packages-"));
    const source = join(packages, "source");
    mkdirSync(join(source, "bin"), { recursive: true });
    mkdirSync(join(source, "include"), { recursive: true });
    writeFileSync(
      join(source, "package.json"),
      JSON.stringify({ name, version: "22.23.2", os: platform, cpu: arch }),
    );
    writeFileSync(join(source, "LICENSE"), "a licence");
    writeFileSync(join(source, "include/node.h"), "");
    writeFileSync(join(source, "bin/node"), program);
    chmodSync(join(source, "bin/node"), 0o755);
    npm(source, "pack", "--pack-destination", packages);
    const tarball = `file:${join(packages, `${name}-22.23.2.tgz`)}`;
    writeFileSync(
      join(packages, "package.json"),
      JSON.stringify({ optionalDependencies: { [name]: tarball } }),
    );
    npm(packages, "install", "--package-lock-only");
    // The pin is a version, where the package comes from the registry.
    writeFileSync(
      join(packages, "package.json"),
      JSON.stringify({ optionalDependencies: { [name]: "22.23.2" } }),
    );
  };

  const ask = (running = old) =>
    suitableNode({
      running,
      needed,
      packages,
      cache,
      install: (workspace) => {
        installed.push(workspace);
        const manifest = readFileSync(join(workspace, "package-lock.json"), "utf8");
        const { packages: entries } = JSON.parse(manifest) as {
          readonly packages: Readonly<Record<string, object>>;
        };
        writeFileSync(join(workspace, "package.json"), JSON.stringify(entries[""]));
        npm(workspace, "ci");
        return Promise.resolve();
      },
    });

  beforeAll(() => pack("#!/bin/sh\necho v22.23.2\n"));

  beforeEach(() => {
    installed = [];
  });

  afterEach(() => {
    rmSync(cache, { recursive: true, force: true });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(["22.13.0", "22.14.1", "24.0.0"])("takes the running %s", async (version) => {
    const running = { version, program: "/usr/bin/node" };
    await expect(ask(running)).resolves.toBe("/usr/bin/node");
    expect(installed).toEqual([]);
  });

  it("installs one where the running one is too old, once", async () => {
    const program = await ask();
    expect(program).toBe(join(cache, "nodejs-22.23.2/bin/node"));
    expect(spawnSync(program, [], { encoding: "utf8" }).stdout).toBe("v22.23.2\n");
    await expect(ask({ ...old, version: "22.12.0" })).resolves.toBe(program);
    expect(installed).toHaveLength(1);
    // The plugin's archive has it with its licence.
    expect(readdirSync(join(cache, "nodejs-22.23.2")).sort()).toEqual([
      "LICENSE",
      "bin",
      "package.json",
    ]);
  });

  it("lets two commands install it at the same time, and leaves nothing else", async () => {
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one).toBe(other);
    expect(readdirSync(cache)).toEqual(["nodejs-22.23.2"]);
  });

  it("removes what a killed installation left, and nothing of one that runs", async () => {
    const { pid: ended } = spawnSync(process.execPath, ["--version"]);
    const [left, running] = [`nodejs-22.23.2.${ended}-a`, `nodejs-22.23.2.${process.ppid}-b`];
    for (const each of [left, running]) {
      mkdirSync(join(cache, each, "node_modules"), { recursive: true });
    }
    await ask();
    expect(readdirSync(cache).sort()).toEqual(["nodejs-22.23.2", running]);
  });

  it("says what to install if the program does not run here, and keeps nothing of it", async () => {
    pack("#!/no/such/loader\n");
    await expect(ask()).rejects.toThrow(
      /^Node\.js 22\.13 or newer is needed, this is 20\.20\.2, and npm brought none \(.*bin\/node.*\): install it from your package manager or nodejs\.org$/,
    );
    expect(existsSync(join(cache, "nodejs-22.23.2"))).toBe(false);
    expect(readdirSync(cache)).toEqual([]);
  });

  it("says what to install on a platform that has none", async () => {
    writeFileSync(
      join(packages, "package.json"),
      JSON.stringify({ optionalDependencies: { "node-plan9-x64": "22.23.2" } }),
    );
    await expect(ask()).rejects.toThrow(
      /^Node\.js 22\.13 or newer is needed, this is 20\.20\.2: install it from your package manager or nodejs\.org$/,
    );
  });
});

describe("the pinned Node.js", () => {
  it("is one release for every platform, new enough, with a checksum", () => {
    const versions = new Set(Object.values(pinned.optionalDependencies));
    expect(versions.size).toBe(1);
    const [version = ""] = versions;
    const [, oldest = ""] = /^>=(\d+\.\d+)$/.exec(packageJson.engines.node) ?? [];
    expect(Number(version.split(".")[0])).toBe(Number(oldest.split(".")[0]));
    expect(Number(version.split(".")[1])).toBeGreaterThanOrEqual(Number(oldest.split(".")[1]));
    const { "": _, ...entriesByPath } = locked.packages;
    const entries = Object.entries(entriesByPath);
    expect(entries.map(([path]) => path.replace("node_modules/", ""))).toEqual(
      Object.keys(pinned.optionalDependencies),
    );
    for (const [, entry] of entries) {
      expect(entry.version).toBe(version);
      expect(entry.integrity).toMatch(/^sha512-/);
    }
  });
});
