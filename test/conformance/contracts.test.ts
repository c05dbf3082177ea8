import { parse } from "yaml";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineType } from "../../provider/config/machineBasics";
import {
  checkContractForTalos,
  versionContracts,
} from "../../provider/config/releases/versionContract";
import { widestSchema } from "../../provider/config/schema/talosSchemas";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { declared, oracleSchema } from "./support/oracleRelease";
import { type OracleMinor, oracleMinors } from "./support/talosCode";
import { describeWithOracles } from "./support/withOracles";

const machineTypes: readonly MachineType[] = ["controlplane", "worker"];

const byCode = "each contract, by the code of each Talos that knows it";
describeWithOracles(byCode, "contracts", ({ oracle }) => {
  test.each(versionContracts)("%s", async (versionContract) => {
    const knowing = knowingMinor(versionContract);
    const secrets = (await oracle(knowing).secrets(versionContract)).result ?? "";
    const minors = oracleMinors.filter(
      (minor) => checkContractForTalos(versionContract, minor) === undefined,
    );
    for (const minor of minors) {
      for (const machineType of machineTypes) {
        const options = {
          clusterName: "example",
          endpoint: "https://[fd00::1]:6443",
          machineType,
          versionContract,
          kubernetesVersion: "1.33.2",
          installDisk: "/dev/xvda",
          installerImage: "factory.talos.dev/aws-installer/abc:v1.10.0",
          certSans: ["api.example.com", "10.0.0.9"],
        };
        const { result } = await oracle(minor).generate({ ...options, secrets });
        const documents = generateMachineConfig({
          ...options,
          talosVersion: declared(`${minor}.0`),
          secretsBundle: parse(secrets) as SecretsBundle,
        });
        expect(encodeDocuments(documents, oracleSchema(minor))).toBe(result);
      }
    }
  });
});

/** A Talos that knows a contract. */
function knowingMinor(versionContract: string): OracleMinor {
  const newer = oracleMinors.slice(oracleMinors.indexOf("v1.13"));
  return (
    newer.find((minor) => checkContractForTalos(versionContract, minor) === undefined) ?? "v1.13"
  );
}

const knownKinds = "the kinds of documents that each Talos knows";
describeWithOracles(knownKinds, "documentKinds", ({ oracle }) => {
  test.each(oracleMinors)("%s", async (minor) => {
    const kinds = [...widestSchema.documents.keys()].filter((kind) => kind !== "");
    const known = await Promise.all(
      kinds.map(async (kind) => {
        const text = `apiVersion: v1alpha1\nkind: ${kind}\n`;
        const { refused = "" } = await oracle(minor).encode(text);
        return !refused.includes("not registered");
      }),
    );
    const expected = [...oracleSchema(minor).documents.keys()].filter((kind) => kind !== "");
    expect(kinds.filter((_, index) => known[index])).toEqual(expected);
  });
});
