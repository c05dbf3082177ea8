import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { OLDEST_VERSION } from "../ensurePulumi";
import { paths } from "../paths";
import type { StepLog } from "../runStep";

/** What a checkout makes itself, and no copy takes over. */
const MADE_HERE = new Set([
  ".cache",
  ".git",
  ".local",
  ".smoke",
  "coverage",
  "dist",
  "emulator/dist",
  "node_modules",
  "package.json",
  "package-lock.json",
]);

/** Tools in `.cache/` that don't depend on the SDK. */
const SHARED_TOOL = /^(moto|nodejs|oracles|pulumi|pulumi-yaml|sdk-generator|talosctl)-/;

/** The checkout's dependencies that its own are derived from, as a hash. */
const STAMP = ".cache/dependencies.sha256";

/**
 * A copy of this checkout's sources with the oldest Pulumi SDK that the package works with, in `.cache/`.
 * Its commands install and build what it needs. A later copy keeps that where nothing has changed.
 *
 * @returns its folder
 * @throws Error if npm can't choose the dependencies
 */
export async function makeOldestCheckout({ say, at }: StepLog): Promise<string> {
  const folder = join(paths.cache, "oldest");
  await mkdir(join(folder, ".cache"), { recursive: true });
  at("copying the sources");
  await copySources(folder);
  await shareTools(folder);
  await chooseDependencies(folder, say);
  return folder;
}

async function copySources(folder: string): Promise<void> {
  // What is gone from this checkout.
  for (const path of await sourcesIn(folder)) {
    if (!existsSync(join(paths.root, path))) {
      await rm(join(folder, path));
    }
  }
  for (const path of await sourcesIn(paths.root)) {
    // The build compares times.
    const options = { preserveTimestamps: true, verbatimSymlinks: true };
    await cp(join(paths.root, path), join(folder, path), options);
  }
}

/** The source files of a checkout, as paths below it. */
async function sourcesIn(root: string, folder = ""): Promise<string[]> {
  const entries = (await readdir(join(root, folder), { withFileTypes: true })).map(
    async (entry) => {
      const path = posix.join(folder, entry.name);
      if (MADE_HERE.has(path)) {
        return [];
      }
      return entry.isDirectory() ? sourcesIn(root, path) : [path];
    },
  );
  return (await Promise.all(entries)).flat();
}

async function shareTools(folder: string): Promise<void> {
  for (const name of (await readdir(paths.cache)).filter((each) => SHARED_TOOL.test(each))) {
    const link = join(folder, ".cache", name);
    if (!existsSync(link)) {
      await rm(link, { force: true });
      await symlink(join(paths.cache, name), link);
    }
  }
}

async function chooseDependencies(folder: string, say: (line: string) => void): Promise<void> {
  const [manifest, lock] = await Promise.all(
    ["package.json", "package-lock.json"].map((file) => readFile(join(paths.root, file), "utf8")),
  );
  const hash = createHash("sha256").update(`${manifest}${lock}`).digest("hex");
  const stamp = join(folder, STAMP);
  if (existsSync(stamp) && (await readFile(stamp, "utf8")) === hash) {
    return;
  }
  say(`choosing dependencies with version ${OLDEST_VERSION} of Pulumi's SDK …`);
  const { devDependencies, ...others } = JSON.parse(manifest ?? "") as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const oldest = {
    ...others,
    devDependencies: { ...devDependencies, "@pulumi/pulumi": OLDEST_VERSION },
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(oldest, null, 2)}\n`);
  await writeFile(join(folder, "package-lock.json"), lock ?? "");
  const args = ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", args, { cwd: folder });
  await writeFile(stamp, hash);
}
