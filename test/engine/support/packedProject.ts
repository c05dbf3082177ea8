import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const root = join(__dirname, "../../..");
const run = promisify(execFile);
const PACKAGE = "pulumi-talos-aws";

/** A folder of its own, outside this checkout, into which users of this package have installed it. */
export interface PackedProject {
  readonly folder: string;
  /** Writes files into a folder of the project, made when it isn't there. Returns the folder's path. */
  readonly write: (name: string, files: Readonly<Record<string, string>>) => string;
  readonly close: () => void;
}

/**
 * Makes one. This package is there as npm packs it, with the build that the suite has made. The packages
 * that it depends on are links to those of this checkout: installing them again takes much longer.
 */
export async function makePackedProject(): Promise<PackedProject> {
  const folder = mkdtempSync(join(tmpdir(), "talos-aws-project-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    const { stdout } = await run("npm", pack, { cwd: root, maxBuffer: 1 << 24 });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const installed = join(folder, "node_modules", PACKAGE);
    mkdirSync(installed, { recursive: true });
    await run("tar", ["xzf", join(folder, filename), "--strip-components=1", "-C", installed]);
    linkOtherPackages(join(folder, "node_modules"));
  } catch (error) {
    close();
    throw error;
  }
  return {
    folder,
    write: (name, files) => {
      const target = join(folder, name);
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(target, file)), { recursive: true });
        writeFileSync(join(target, file), text);
      }
      return target;
    },
    close,
  };
}

function linkOtherPackages(modules: string): void {
  const all = join(root, "node_modules");
  for (const name of readdirSync(all).filter((each) => !each.startsWith("."))) {
    if (name !== PACKAGE) {
      symlinkSync(join(all, name), join(modules, name));
    }
  }
}
