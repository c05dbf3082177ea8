import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { folderFingerprint } from "./folderFingerprint";
import { goCommand } from "./goCommand";
import { paths } from "./paths";

const sources = join(paths.root, "test/conformance/definitionsOracle");

/**
 * The program that judges objects by their definition, as an API server does: the one built before from the same
 * sources, else built with Go.
 *
 * @throws Error that names what to install when there is no Go
 */
export async function ensureDefinitionsOracle(
  cacheDir: string,
  say: (line: string) => void,
): Promise<string> {
  const program = join(cacheDir, `definitions-oracle-${folderFingerprint(sources)}`);
  if (!existsSync(program)) {
    await mkdir(cacheDir, { recursive: true });
    say("Building the judge of objects by their definition (a minute, once) …");
    const built = `${program}.${process.pid}`;
    const flags = ["-trimpath", "-ldflags", "-s -w", "-o", built];
    await goCommand(["build", ...flags, "."], { cwd: sources });
    await rename(built, program);
  }
  return program;
}
