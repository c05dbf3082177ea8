import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { paths } from "../paths";
import { installProductionModules } from "./productionModules";

const run = promisify(execFile);

/** A plugin as engines download it. */
export interface PluginArchive {
  readonly path: string;
  /** Hex. */
  readonly sha256: string;
}

/** What the engine starts, by the platform's name for programs. */
const PROGRAM = "pulumi-resource-talos-aws";
const ENTRY = "node_modules/pulumi-talos-aws/dist/plugin/main.js";

/**
 * Makes the archive that engines on this platform download: the plugin, all modules that it needs,
 * and the Node.js that runs this script, so computers need none. Beside the archive is its checksum,
 * as `sha256sum --check` reads it.
 *
 * @param folder gets both files
 * @param tarball what `npm pack` made of the package
 * @throws Error if this Node.js can't be passed on, because it has no licence file or needs other
 *   parts of this computer
 */
export async function makePluginArchive(
  folder: string,
  tarball: string,
  version: string,
): Promise<PluginArchive> {
  mkdirSync(folder, { recursive: true });
  const staged = mkdtempSync(join(tmpdir(), "talos-aws-archive-"));
  try {
    await installProductionModules(staged, tarball);
    copyNode(staged);
    await writeLauncher(staged);
    copyFileSync(join(paths.root, "LICENSE"), join(staged, "LICENSE"));
    const name = archiveName(version);
    const path = join(folder, name);
    await run("tar", ["-czf", path, "-C", staged, "."]);
    const sha256 = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
    await writeFile(`${path}.sha256`, `${sha256}  ${name}\n`);
    return { path, sha256 };
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** The name by which the engine asks for it. Source: pulumi v3.230.0, sdk/go/common/workspace. */
function archiveName(version: string): string {
  const { platform, arch } = process;
  const system = platform === "win32" ? "windows" : platform;
  return `${PROGRAM}-v${version}-${system}-${arch === "x64" ? "amd64" : arch}.tar.gz`;
}

function copyNode(folder: string): void {
  const { execPath, config } = process;
  if ((config.variables as { readonly node_shared?: boolean }).node_shared === true) {
    throw new Error(
      `"${execPath}" is a Node.js with a shared library, which other computers don't have: use a build of nodejs.org`,
    );
  }
  const prefix = dirname(dirname(execPath));
  const licence = [
    join(prefix, "LICENSE"),
    join(dirname(execPath), "LICENSE"),
    join(prefix, "share/doc/nodejs/LICENSE"),
  ].find((file) => existsSync(file));
  if (licence === undefined) {
    throw new Error(
      `the licence of "${execPath}" was not found beside it, and an archive with Node.js must have it: use a build of nodejs.org`,
    );
  }
  copyFileSync(licence, join(folder, "LICENSE.node"));
  copyFileSync(execPath, join(folder, process.platform === "win32" ? "node.exe" : "node"));
}

async function writeLauncher(folder: string): Promise<void> {
  if (process.platform === "win32") {
    const command = `@"%~dp0node.exe" "%~dp0${ENTRY.replaceAll("/", "\\")}" %*`;
    await writeFile(join(folder, `${PROGRAM}.cmd`), `${command}\r\n`);
    return;
  }
  const launcher = join(folder, PROGRAM);
  const here = 'here=$(dirname -- "$0")';
  await writeFile(launcher, `#!/bin/sh\n${here}\nexec "$here/node" "$here/${ENTRY}" "$@"\n`);
  chmodSync(launcher, 0o755);
}
