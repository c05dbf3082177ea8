import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");

/** What random inputs are compared with Talos' own code for, and how they are made. */
const compared = [join(root, "provider/config"), join(root, "test/conformance")];

const newSeed = Date.now() % 0x7fff_ffff;

/**
 * How often and from which seed random inputs are made. TALOS_SEED gives the seed. Else it is that of
 * the sources (see `sourceSeed`), so that their verdict stays the same; or, where TALOS_ORACLES asks
 * to look further, another one each time. It is printed, so that a run can be repeated.
 *
 * @param variable of the environment, gives the number of runs. Default: `defaultRuns`
 */
export function randomRuns(
  variable: string,
  defaultRuns: number,
): { readonly runs: number; readonly seed: number } {
  const { TALOS_SEED: given, TALOS_ORACLES: oracles } = process.env;
  const runs = Number(process.env[variable] ?? defaultRuns);
  const seed = Number(given ?? (oracles === undefined ? sourceSeed(compared) : newSeed));
  process.stderr.write(`${runs} random inputs (${variable}); TALOS_SEED=${seed} repeats them\n`);
  return { runs, seed };
}

/**
 * The seed of random inputs, made of what they try out: one state of the sources gets the same
 * inputs, so the same verdict, on every computer, and each change of it gets inputs that none had
 * before.
 *
 * @param folders whose TypeScript is taken, with the folders inside
 * @returns a whole number of 31 bits
 */
export function sourceSeed(folders: readonly string[]): number {
  const hash = createHash("sha256");
  for (const folder of folders) {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const name of names.filter((file) => file.endsWith(".ts")).sort()) {
      hash.update(name).update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest().readUInt32BE() >>> 1;
}
