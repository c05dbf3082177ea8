import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { goCommand } from "./goCommand";
import { paths } from "./paths";

const source = join(paths.root, "test/conformance/oracle");

/**
 * Talos minors whose own code the conformance tests ask, oldest first, with the file that says which
 * release that is and what it is built with.
 */
const modules = new Map([
  ["v1.10", "v1.10.mod"],
  ["v1.11", "v1.11.mod"],
  ["v1.12", "v1.12.mod"],
  ["v1.13", "go.mod"],
]);

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
  const folder = join(cacheDir, `oracles-${await fingerprint()}`);
  await mkdir(folder, { recursive: true });
  const missing = [...modules].filter(([minor]) => !existsSync(join(folder, minor)));
  for (const [minor, file] of missing) {
    say(`Building the code of Talos ${minor} to compare with (a minute, once) …`);
    const built = join(folder, `${minor}.${process.pid}`);
    await goCommand(
      ["build", `-modfile=${file}`, "-trimpath", "-ldflags", "-s -w", "-o", built, "."],
      source,
    );
    await rename(built, join(folder, minor));
  }
  return folder;
}

/** Of all that the oracles are built from. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(source)).sort()) {
    hash.update(name).update(await readFile(join(source, name)));
  }
  return hash.digest("hex").slice(0, 12);
}
