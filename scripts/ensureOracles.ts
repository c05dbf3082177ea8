import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { talosSchemas } from "../provider/config/schema/talosSchemas";
import { folderFingerprint } from "./folderFingerprint";
import { goCommand } from "./goCommand";
import { paths } from "./paths";

/**
 * Talos minors whose own code the conformance tests ask, oldest first, with the file that says which
 * release that is and what it is built with.
 */
const modules = new Map(
  [...talosSchemas.keys()].map((minor, index, { length }) => [
    `v1.${minor}`,
    // Go wants a file of that name in the folder.
    index === length - 1 ? "go.mod" : `v1.${minor}.mod`,
  ]),
);

/** How many are built side by side: compiling takes all processors, linking one. */
const SIDE_BY_SIDE = 2;

/**
 * The folder that holds the oracle of each Talos minor, by the minor's name: those built before from
 * the same sources, else built with Go.
 *
 * @throws Error that names what to install when there is no Go
 */
export async function ensureOracles(
  cacheDir: string,
  say: (line: string) => void,
): Promise<string> {
  const folder = join(cacheDir, `oracles-${oraclesFingerprint()}`);
  await mkdir(folder, { recursive: true });
  const missing = [...modules].filter(([minor]) => !existsSync(join(folder, minor)));
  const total = missing.length;
  let done = 0;
  const build = async (minor: string, file: string): Promise<void> => {
    const built = join(folder, `${minor}.${process.pid}`);
    await goCommand(
      ["build", `-modfile=${file}`, "-trimpath", "-ldflags", "-s -w", "-o", built, "."],
      { cwd: oracleSources },
    );
    await rename(built, join(folder, minor));
    done += 1;
    say(`Built the code of Talos ${minor} to compare with (${done} of ${total})`);
  };
  if (total > 0) {
    const names = missing.map(([minor]) => minor).join(", ");
    say(`Building the code of Talos ${names} to compare with (a minute each, once) …`);
  }
  const workers = Array.from({ length: SIDE_BY_SIDE }, async () => {
    for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
      await build(...next);
    }
  });
  await Promise.all(workers);
  return folder;
}

/** The sources of the oracles: a program that answers what Talos' own code does. */
const oracleSources = join(paths.root, "test/conformance/oracle");

/** Tells apart oracles that are built from other sources, so also from other releases of Talos. */
export function oraclesFingerprint(): string {
  return folderFingerprint(oracleSources);
}
