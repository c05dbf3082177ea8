import { parse } from "yaml";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import {
  checkContractForTalos,
  versionContracts,
} from "../../provider/config/releases/versionContract";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { type Generation, type Options, sharedOptions } from "./arbitraries/options";
import { patchTexts } from "./arbitraries/patchTexts";
import { differenceOf, explain, ourOutcome, theirOutcome } from "./support/compare";
import { isOnPurpose } from "./support/deviations";
import { declared, oracleSchema } from "./support/oracleRelease";
import { oracleMinors } from "./support/talosCode";
import { firstDifference } from "./support/textDifference";
import { describeWithOracles } from "./support/withOracles";

const contracts = oracleMinors.filter((minor) => versionContracts.includes(minor));

/** Each contract, read by each Talos that knows it. */
const generations: readonly Generation[] = contracts.flatMap((versionContract) =>
  oracleMinors
    .filter((minor) => checkContractForTalos(versionContract, minor) === undefined)
    .map((talosVersion) => ({ versionContract, talosVersion })),
);

/** Of all generations together. */
const runs = 3_000;

/** One machine's configuration, and patches of it. */
function caseOf(generation: Generation, secretsBundle: SecretsBundle) {
  return sharedOptions(generation).chain((options) => {
    const documents = generate(options, secretsBundle);
    const schema = oracleSchema(generation.talosVersion);
    return patchTexts(documents, schema).map((patches) => ({ options, patches }));
  });
}

function generate({ talosVersion = "", ...options }: Options, secretsBundle: SecretsBundle) {
  return generateMachineConfig({ ...options, talosVersion: declared(talosVersion), secretsBundle });
}

const title = "random options and patches, as Talos' own code takes them";
describeWithOracles(title, "generated", ({ oracle, eachInput }) => {
  test.each(generations)(
    "contract $versionContract, Talos $talosVersion",
    async ({ versionContract, talosVersion }) => {
      const talos = oracle(oracleMinors.find((minor) => minor === talosVersion) ?? "v1.13");
      const secrets = (await talos.secrets(versionContract)).result ?? "";
      const secretsBundle = parse(secrets) as SecretsBundle;
      const schema = oracleSchema(talosVersion);
      let compared = 0;

      const inputs = {
        name: `contract ${versionContract}, Talos ${talosVersion}`,
        arbitrary: caseOf({ versionContract, talosVersion }, secretsBundle),
        count: Math.ceil(runs / generations.length),
        variable: "TALOS_RUNS",
        parts: generations.length,
      };
      const tried = await eachInput(inputs, async ({ options, patches }) => {
        const config = encodeDocuments(generate(options, secretsBundle), schema);
        const generated = (await talos.generate({ ...options, secrets })).result ?? "";
        const otherwise = firstDifference(inOrder(config), inOrder(generated));
        expect(otherwise, `generated otherwise:\n${otherwise ?? ""}`).toBeUndefined();

        const ours = ourOutcome(config, patches, schema);
        const theirs = await theirOutcome(config, patches, talos);
        compared += ours.text !== undefined && theirs.text !== undefined ? 1 : 0;
        const difference = differenceOf(ours, theirs);
        if (difference !== undefined && !isOnPurpose(difference, ours, theirs)) {
          throw new Error(explain(difference, ours, theirs));
        }
      });
      // inputs that all are refused would show nothing
      expect(compared).toBeGreaterThan(tried / 4);
    },
  );
});

/** Talos v1.12 writes the mirrors of registries in random order, later ones by name as we do. */
function inOrder(config: string): string {
  return config.split("---\n").sort().join("---\n");
}
