/**
 * How often and from which seed random inputs are made. TALOS_SEED gives the seed, as `npm test`
 * does (see `sourceSeed`); else it is another one each time. It is printed, so that a run can be
 * repeated.
 *
 * @param variable of the environment, gives the number of runs. Default: `defaultRuns`
 */
export function randomRuns(
  variable: string,
  defaultRuns: number,
): { readonly runs: number; readonly seed: number } {
  const runs = Number(process.env[variable] ?? defaultRuns);
  const seed = Number(process.env.TALOS_SEED ?? Date.now() % 0x7fff_ffff);
  process.stderr.write(`${runs} random inputs (${variable}); TALOS_SEED=${seed} repeats them\n`);
  return { runs, seed };
}
