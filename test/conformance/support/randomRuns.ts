import { join } from "node:path";
import { sourceSeed } from "../../../scripts/sourceSeed";

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
