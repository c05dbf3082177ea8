import { runTests } from "../seededRuns";
import { labRefusal } from "./labRefusal";
import { labReleasesOf } from "./labReleases";

/** Test files that need a lab. */
export interface LabRun {
  /** The variable with the lab's program. */
  readonly lab: "TALOS_LAB" | "KUBERNETES_LAB";
  /** Parts of their paths, if none is named. */
  readonly files: readonly string[];
  /** Variables for the tests. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs test files on the machines that labs start, on one release of Talos after another: one lab of a kind runs on a computer.
 * Files whose lab isn't set are left out, and named. A lab that is set and refuses is a failure: its tests would all be
 * skipped. So is nothing to run.
 *
 * @param args words of `npm test`; parts of file names among them replace the files of each run
 * @returns the exit code: that of the last run that failed, or 0
 */
export async function runOnEachRelease(
  runs: readonly LabRun[],
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  run: typeof runTests = runTests,
  refusalOf: typeof labRefusal = labRefusal,
): Promise<number> {
  const isPossible = ({ lab }: LabRun) => (environment[lab] ?? "") !== "";
  const refusals = new Map(
    runs.filter(isPossible).map(({ lab }) => [lab, refusalOf(lab, environment[lab] ?? "")]),
  );
  const possible = runs.filter((each) => isPossible(each) && refusals.get(each.lab) === undefined);
  for (const { lab, files } of runs.filter((each) => !isPossible(each))) {
    process.stderr.write(
      `set ${lab} to the program that starts the machines, for ${files.join(", ")}\n`,
    );
  }
  const refused = [...refusals.values()].flatMap((reason) => reason ?? []);
  refused.forEach((reason) => process.stderr.write(`${reason}\n`));
  let code = possible.length === 0 || refused.length > 0 ? 1 : 0;
  const isNamed = args.length > 0 && args[0] !== "-t";
  for (const release of labReleasesOf(environment.TALOS_LAB_RELEASE)) {
    for (const { files, environment: more } of isNamed ? possible.slice(0, 1) : possible) {
      process.stdout.write(`On machines with Talos ${release}:\n`);
      const failed = await run({
        words: ["conformance", ...(isNamed ? [] : files), ...args],
        environment: { ...more, TALOS_LAB_RELEASE: release },
      });
      code = failed === 0 ? code : failed;
    }
  }
  return code;
}
