import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import fc from "fast-check";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { settingsOracleFingerprint } from "../../../scripts/ensureSettingsOracle";
import { randomSettings } from "../arbitraries/settings";
import type { Answer } from "./oracle";
import { OracleProcess } from "./oracleProcess";
import { randomRuns } from "./randomRuns";
import type { Settings } from "./readSettings";
import { recordCommand } from "./recording/recording";

/** How many configurations are recorded, and made anew where TALOS_RUNS gives no other number. */
const COUNT = 300;

/** The same configurations each time that they are recorded. */
const RECORDED_SEED = 14;

const recordedFile = join(__dirname, "../recordedSettings.json.br");

/** A configuration, and what Talos reads in it. */
export interface ReadConfiguration {
  readonly documents: readonly ConfigDocument[];
  readonly answer: Answer<Settings>;
}

/** What is recorded of the settings oracle. */
interface RecordedSettings {
  /** What it was built from: `settingsOracleFingerprint`. */
  readonly oracle: string;
  readonly read: readonly ReadConfiguration[];
}

/**
 * Random configurations, and what Talos' own code reads in them: recorded ones; or, where
 * TALOS_SETTINGS_ORACLE names the program that `npm run conformance` builds, new ones, which it is asked
 * about now. Where TALOS_RECORD is set too, those are recorded.
 *
 * @param first configurations that come before the random ones
 */
export async function readByTalos(
  first: readonly (readonly ConfigDocument[])[],
): Promise<readonly ReadConfiguration[]> {
  const { TALOS_SETTINGS_ORACLE: program, TALOS_RECORD: target } = process.env;
  if (program === undefined) {
    return recorded().read;
  }
  const { runs, seed } =
    target === undefined ? randomRuns("TALOS_RUNS", COUNT) : { runs: COUNT, seed: RECORDED_SEED };
  const configurations = [...first, ...fc.sample(randomSettings, { seed, numRuns: runs })];
  const read = await ask(program, configurations);
  if (target !== undefined) {
    const recording: RecordedSettings = { oracle: settingsOracleFingerprint(), read };
    writeFileSync(recordedFile, brotliCompressSync(JSON.stringify(recording)));
  }
  return read;
}

/** What the recorded answers were built from. */
export function recordedOracle(): string {
  return recorded().oracle;
}

function recorded(): RecordedSettings {
  if (!existsSync(recordedFile)) {
    throw new Error(`There is no recording ${recordedFile}; make it with: ${recordCommand}`);
  }
  return JSON.parse(
    brotliDecompressSync(readFileSync(recordedFile)).toString(),
  ) as RecordedSettings;
}

async function ask(
  program: string,
  configurations: readonly (readonly ConfigDocument[])[],
): Promise<ReadConfiguration[]> {
  const oracle = new OracleProcess(program);
  try {
    return await Promise.all(
      configurations.map(async (documents) => {
        // JSON is YAML.
        const config = documents.map((document) => JSON.stringify(document)).join("\n---\n");
        return { documents, answer: (await oracle.ask({ config })) as Answer<Settings> };
      }),
    );
  } finally {
    oracle.close();
  }
}
