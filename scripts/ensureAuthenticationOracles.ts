import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { folderFingerprint } from "./folderFingerprint";
import { goCommand } from "./goCommand";
import { paths } from "./paths";

const sources = join(paths.root, "test/conformance/authenticationOracle");

/** The oldest and the newest Kubernetes minor that judge, with what each is built with. */
const BUILDS: Readonly<Record<string, readonly string[]>> = {
  "v1.30": ["-modfile=v1.30.mod", "-tags=v1.30"],
  "v1.37": [],
};

/** Names of the Kubernetes minors that judge, oldest first. */
export const judgingMinors: readonly string[] = Object.keys(BUILDS);

/**
 * The folder with the program of each Kubernetes minor, by the minor's name, that says whom an API server sees
 * in a token: those built before from the same sources, else built with Go.
 *
 * @throws Error that names what to install when there is no Go
 */
export async function ensureAuthenticationOracles(
  cacheDir: string,
  say: (line: string) => void,
): Promise<string> {
  const folder = join(cacheDir, `authentication-oracles-${authenticationOraclesFingerprint()}`);
  await mkdir(folder, { recursive: true });
  for (const [minor, options] of Object.entries(BUILDS)) {
    const program = join(folder, minor);
    if (existsSync(program)) {
      continue;
    }
    say(`Building the authenticators of Kubernetes ${minor} (two minutes, once) …`);
    const built = `${program}.${process.pid}`;
    const flags = ["-trimpath", "-ldflags", "-s -w", "-o", built];
    await goCommand(["build", ...options, ...flags, "."], { cwd: sources });
    await rename(built, program);
  }
  return folder;
}

/** Tells apart programs that are built from other sources, so also from other releases of Kubernetes. */
export function authenticationOraclesFingerprint(): string {
  return folderFingerprint(sources);
}
