import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { folderFingerprint } from "./folderFingerprint";
import { goCommand } from "./goCommand";
import { paths } from "./paths";

const sources = join(paths.root, "test/conformance/settingsOracle");

/**
 * The program that says what the newest Talos reads in a machine configuration: one that was built
 * before from the same sources, else built with Go.
 *
 * @throws Error that names what to install when there is no Go
 */
export async function ensureSettingsOracle(
  cacheDir: string,
  say: (line: string) => void,
): Promise<string> {
  const folder = join(cacheDir, `settings-oracle-${settingsOracleFingerprint()}`);
  const program = join(folder, "settings");
  if (!existsSync(program)) {
    say("Building the code of Talos that reads settings (a minute, once) …");
    await mkdir(folder, { recursive: true });
    const built = `${program}.${process.pid}`;
    await goCommand(["build", "-trimpath", "-ldflags", "-s -w", "-o", built, "."], {
      cwd: sources,
    });
    await rename(built, program);
  }
  return program;
}

/** Tells apart programs that are built from other sources, so also from another release of Talos. */
export function settingsOracleFingerprint(): string {
  return folderFingerprint(sources);
}
