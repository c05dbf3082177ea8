import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import fc from "fast-check";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { changedDefaults } from "../../../provider/config/releases/contractChange";
import type { ContractDefault } from "../../../provider/config/releases/contractFeatures";
import { versionContracts } from "../../../provider/config/releases/versionContract";
import { generateSecretsBundle } from "../../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { settingsOracleFingerprint } from "../../../scripts/ensureSettingsOracle";
import {
  arbitraryOptions,
  type FreeOptions,
} from "../../provider/config/generate/arbitraryOptions";
import { OracleProcess } from "./oracleProcess";
import { randomRuns } from "./randomRuns";
import { saying, type Settings } from "./readSettings";
import { recordCommand } from "./recording/recording";

/** How many changes are recorded, and made anew where TALOS_RUNS gives no other number. */
const COUNT = 500;

/** The same changes each time that they are recorded. */
const RECORDED_SEED = 1_314;

/** The contract that clusters go over to. */
const TO = "v1.14";

/** A configuration whose contract rises. */
export interface ContractRise {
  /** The former contract, whose defaults stay. */
  readonly contract: string;
  /** Whether the cluster's secrets are of a Talos before v1.3, with another kind of key. */
  readonly isOld: boolean;
  readonly options: FreeOptions;
  /** Defaults of the new contract that it takes nevertheless. */
  readonly newDefaults: readonly ContractDefault[];
}

/** What Talos' own code says of it. */
export interface ReadRise extends ContractRise {
  /** The type of machine, as Talos names it. */
  readonly type: unknown;
  /** What it reads otherwise before and after, by the names of the settings oracle. */
  readonly differences: Readonly<Record<string, { readonly was?: unknown; readonly is?: unknown }>>;
}

/** Secrets of both kinds of clusters, the older one last. */
type Bundles = readonly [SecretsBundle, SecretsBundle];

/** What is recorded of a rise. It is made anew of the seed, so a digest tells its texts. */
interface RecordedRise extends Pick<ReadRise, "type" | "differences"> {
  readonly digest: string;
}

interface RecordedRises {
  /** What the oracle was built from: `settingsOracleFingerprint`. */
  readonly oracle: string;
  readonly bundles: Bundles;
  readonly rises: readonly RecordedRise[];
}

const recordedFile = join(__dirname, "../recordedRises.json.br");

/** Any options with any former contract, and often some new defaults. */
const anyRise: fc.Arbitrary<ContractRise> = fc
  .record({
    contract: fc.constantFrom(...versionContracts.filter((name) => name !== TO)),
    isOld: fc.boolean(),
    options: arbitraryOptions(TO),
    taken: fc.array(fc.nat()),
    takes: fc.nat(2).map((drawn) => drawn === 0),
  })
  .map(({ contract, isOld, options, taken, takes }) => {
    const others = changedDefaults(
      { versionContract: TO, contractDefaults: contract },
      { versionContract: TO },
    );
    const newDefaults = others.filter((_, index) =>
      taken.some((each) => each % others.length === index),
    );
    return { contract, isOld, options, newDefaults: takes ? newDefaults : [] };
  });

/**
 * Random changes of contracts, and what Talos' own code reads before and after: recorded ones, whose texts are
 * made anew and compared; or, where TALOS_SETTINGS_ORACLE names the program that `npm run conformance`
 * builds, new ones. Where TALOS_RECORD is set too, those are recorded.
 */
export async function readRises(): Promise<readonly ReadRise[]> {
  const { TALOS_SETTINGS_ORACLE: program, TALOS_RECORD: target } = process.env;
  if (program === undefined) {
    const { bundles, rises } = recorded();
    const made = risesOf(COUNT, RECORDED_SEED);
    const digests = made.map((rise) => digestOf(textsOf(rise, bundles)));
    const isRecorded = isDeepStrictEqual(
      digests,
      rises.map(({ digest }) => digest),
    );
    expect(isRecorded, `Not recorded; record anew: ${recordCommand}`).toBe(true);
    return made.flatMap((rise, index) => {
      const { [index]: read } = rises;
      return read === undefined ? [] : [{ ...rise, ...read }];
    });
  }
  const { runs, seed } =
    target === undefined ? randomRuns("TALOS_RUNS", COUNT) : { runs: COUNT, seed: RECORDED_SEED };
  const bundles = existsSync(recordedFile)
    ? recorded().bundles
    : ([
        await generateSecretsBundle(),
        await generateSecretsBundle({ versionContract: "v1.0" }),
      ] as const);
  const made = risesOf(runs, seed);
  const rises = await ask(program, made, bundles);
  if (target !== undefined) {
    const recording: RecordedRises = {
      oracle: settingsOracleFingerprint(),
      bundles,
      rises: rises.map(({ digest, type, differences }) => ({ digest, type, differences })),
    };
    writeFileSync(recordedFile, brotliCompressSync(JSON.stringify(recording)));
  }
  return rises;
}

function risesOf(numRuns: number, seed: number): readonly ContractRise[] {
  return fc.sample(anyRise, { seed, numRuns });
}

/** What the recorded answers were built from. */
export function recordedRiseOracle(): string {
  return recorded().oracle;
}

function recorded(): RecordedRises {
  if (!existsSync(recordedFile)) {
    throw new Error(`There is no recording ${recordedFile}; make it with: ${recordCommand}`);
  }
  return JSON.parse(brotliDecompressSync(readFileSync(recordedFile)).toString()) as RecordedRises;
}

/** The configurations before and after, as text. JSON is YAML. */
function textsOf(
  { contract, isOld, options, newDefaults }: ContractRise,
  [young, old]: Bundles,
): readonly string[] {
  const input = {
    clusterName: "example",
    endpoint: "https://api.example.com:6443",
    machineType: "controlplane" as const,
    installDisk: "/dev/xvda",
    installerImage: "factory.talos.dev/aws-installer/abc:v1.14.1",
    ...options,
    talosVersion: "v1.14.1",
    kubernetesVersion: "1.36.1",
    secretsBundle: isOld ? old : young,
  };
  return [
    { versionContract: contract },
    { versionContract: TO, contractDefaults: contract, newDefaults },
  ].map((choice) => textOf(generateMachineConfig({ ...input, ...choice })));
}

function textOf(documents: readonly ConfigDocument[]): string {
  return documents.map((document) => JSON.stringify(document)).join("\n---\n");
}

function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(texts.join("\n===\n")).digest("hex").slice(0, 16);
}

async function ask(program: string, rises: readonly ContractRise[], bundles: Bundles) {
  const oracle = new OracleProcess(program);
  const read = async (config: string | undefined): Promise<Settings> => {
    const answer = (await oracle.ask({ config, meaning: true })) as Readonly<
      Record<string, Settings | undefined>
    >;
    expect(answer.refused, config).toBeUndefined();
    // What isn't valid in the one form isn't in the other, so that it says nothing of the change.
    return { ...answer.result, ...answer.meaning, valid: answer.invalid === undefined };
  };
  try {
    return await Promise.all(
      rises.map(async (rise) => {
        const texts = textsOf(rise, bundles);
        const [before = {}, after = {}] = await Promise.all(texts.map(read));
        const differences = differencesOf(saying(before), saying(after));
        return { ...rise, type: before.type, differences, digest: digestOf(texts) };
      }),
    );
  } finally {
    oracle.close();
  }
}

function differencesOf(before: Settings, after: Settings): ReadRise["differences"] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, { was: before[name], is: after[name] }]),
  );
}
