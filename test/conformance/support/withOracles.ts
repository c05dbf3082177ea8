import { existsSync } from "node:fs";
import { join } from "node:path";
import { Oracle } from "./oracle";

/** Talos minors that there is an oracle for. */
export const oracleMinors = ["v1.10", "v1.11", "v1.12", "v1.13"] as const;

export type OracleMinor = (typeof oracleMinors)[number];

/**
 * Tests that ask Talos' own code, of which `npm test` names the folder in TALOS_ORACLES. Skipped, and
 * counted as that, where it could not be built.
 */
export function describeWithOracles(
  title: string,
  tests: (oracle: (minor: OracleMinor) => Oracle) => void,
): void {
  const folder = process.env.TALOS_ORACLES;
  if (folder === undefined || !existsSync(folder)) {
    console.warn(
      `skipped: ${title}: Talos' own code could not be built; install Go and run npm test, or set TALOS_ORACLES to the folder it was built into`,
    );
  }
  const run = folder === undefined ? describe.skip : describe;
  run(title, () => {
    const started = new Map<OracleMinor, Oracle>();
    afterAll(() => {
      started.forEach((oracle) => oracle.close());
    });
    tests((minor) => {
      const oracle = started.get(minor) ?? new Oracle(join(folder ?? "", minor));
      started.set(minor, oracle);
      return oracle;
    });
  });
}
