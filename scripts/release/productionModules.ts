import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { paths } from "../paths";

const run = promisify(execFile);

/** What npm packs, and where it gets what that needs. */
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, object>>;
}

/** Files that only compilers, debuggers and people read. */
const NOT_NEEDED = /\.(d\.[cm]?ts|[cm]?js\.map|d\.ts\.map|md|markdown)$/;

/**
 * Installs the packed package into a folder, with the modules that it needs, each in the release of
 * this checkout's lockfile.
 *
 * @param tarball what `npm pack` made of the package
 */
export async function installProductionModules(folder: string, tarball: string): Promise<void> {
  const { dependencies, devDependencies, peerDependencies } = readJson("package.json") as Manifest;
  const peers = Object.keys(peerDependencies).map((name) => [name, devDependencies[name]] as const);
  const root = {
    name: "plugin",
    private: true,
    dependencies: { ...dependencies, ...Object.fromEntries(peers) },
  };
  const lock = readJson("package-lock.json") as Lock;
  const packages = { ...lock.packages, "": root };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages }));
  // The engine refuses archives with links (pulumi v3.230.0).
  const quiet = [
    "--no-bin-links",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
  ];
  await run("npm", ["install", "--omit=dev", "--omit=peer", ...quiet], {
    cwd: folder,
    shell: process.platform === "win32",
  });
  const own = join(folder, "node_modules/pulumi-talos-aws");
  mkdirSync(own);
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", own]);
  removeWhatIsNotNeeded(join(folder, "node_modules"));
}

function removeWhatIsNotNeeded(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (NOT_NEEDED.test(file)) {
      rmSync(join(folder, file), { force: true, recursive: true });
    }
  }
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(paths.root, name), "utf8"));
}
