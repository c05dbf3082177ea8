/**
 * How often and from which seed random inputs are made: TALOS_RUNS and TALOS_SEED. Another seed each
 * time unless it is given; it is printed, so that a run can be repeated.
 */
export function randomRuns(defaultRuns: number): { readonly runs: number; readonly seed: number } {
  const runs = Number(process.env.TALOS_RUNS ?? defaultRuns);
  const seed = Number(process.env.TALOS_SEED ?? Date.now() % 0x7fff_ffff);
  process.stderr.write(`${runs} random inputs; TALOS_SEED=${seed} repeats them\n`);
  return { runs, seed };
}
