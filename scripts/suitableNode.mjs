// Which Node.js runs the commands of a checkout: this one, or a newer one that npm brings. Plain JavaScript
// without dependencies that also runs on Node.js 18, since it starts from nothing.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";

/** What of Node.js' package is left out: headers for add-ons, and manuals. */
const UNUSED = ["include", "share"];

/**
 * The program of a Node.js that is new enough: the running one, else one that was installed before, else
 * the one that `packages` pins for this platform. It appears in `cache` whole or not at all.
 *
 * @param running its version and program
 * @param needed the oldest version that will do, such as `22.13`
 * @param packages folder of a package.json, whose optional dependencies are Node.js for each platform, and
 *   of its package-lock.json
 * @param install installs what the package-lock.json of a folder names; throws if it can't
 * @throws Error that says which Node.js to install
 */
export async function suitableNode({ running, needed, packages, cache, install }) {
  if (isAtLeast(running.version, needed)) return running.program;
  const wrong = `Node.js ${needed} or newer is needed, this is ${running.version}`;
  const { optionalDependencies } = JSON.parse(readFileSync(join(packages, "package.json"), "utf8"));
  const found = Object.entries(optionalDependencies).find(([name]) =>
    name.endsWith(`-${process.platform}-${process.arch}`),
  );
  if (found === undefined) {
    throw new Error(`${wrong}: install it from your package manager or nodejs.org`);
  }
  const [name, version] = found;
  const folder = join(cache, `nodejs-${version}`);
  const program = join(folder, "bin/node");
  if (existsSync(program)) return program;

  removeFormer(cache);
  mkdirSync(cache, { recursive: true });
  const workspace = mkdtempSync(`${folder}.${process.pid}-`);
  try {
    for (const file of ["package.json", "package-lock.json"]) {
      copyFileSync(join(packages, file), join(workspace, file));
    }
    await install(workspace, version);
    const unpacked = join(workspace, "node_modules", name);
    // npm goes on without an optional dependency that it can't download.
    if (!existsSync(unpacked)) throw new Error(`${name} ${version} could not be downloaded`);
    execFileSync(join(unpacked, "bin/node"), ["--version"]);
    UNUSED.forEach((part) => rmSync(join(unpacked, part), { recursive: true, force: true }));
    // Another command may have been faster.
    if (!existsSync(program)) renameSync(unpacked, folder);
    return program;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${wrong}, and npm brought none (${why}): install it from your package manager or nodejs.org`,
      { cause: error },
    );
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** Removes what installations left that were killed. */
function removeFormer(cache) {
  if (!existsSync(cache)) return;
  for (const entry of readdirSync(cache)) {
    const [, pid] = /^nodejs-\d+\.\d+\.\d+\.(\d+)-/.exec(entry) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      rmSync(join(cache, entry), { recursive: true, force: true });
    }
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Compares versions such as `20.20.2` and `22.13`. */
function isAtLeast(version, needed) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split(".").map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
