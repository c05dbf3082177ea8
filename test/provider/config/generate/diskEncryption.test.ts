import type { DiskEncryption } from "../../../../provider/config/generate/diskEncryption";
import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

const diskEncryption: DiskEncryption = {
  state: [{ kms: { endpoint: "https://kms.example.com:4050" } }, { nodeId: {} }],
  ephemeral: [
    { tpm: { checkSecurebootStatusOnEnroll: true } },
    { tpm: {} },
    { static: { passphrase: "correct horse" } },
  ],
};

const state = {
  provider: "luks2",
  keys: [
    { slot: 0, kms: { endpoint: "https://kms.example.com:4050" } },
    { slot: 1, nodeID: {} },
  ],
};
const ephemeral = {
  provider: "luks2",
  keys: [
    { slot: 0, tpm: { checkSecurebootStatusOnEnroll: true } },
    { slot: 1, tpm: {} },
    { slot: 2, static: { passphrase: "correct horse" } },
  ],
};

test("v1.10 has it in machine.systemDiskEncryption", () => {
  expectGenerated(
    "v1.10",
    { diskEncryption },
    { config: { machine: { systemDiskEncryption: { state, ephemeral } } } },
  );
  expectGenerated(
    "v1.10",
    { diskEncryption: { state: diskEncryption.state } },
    { config: { machine: { systemDiskEncryption: { state } } } },
  );
});

test.each(["v1.11", "v1.12", "v1.13"])("%s has a document for each volume", (contract) => {
  expectGenerated(
    contract,
    { diskEncryption },
    {
      documents: [
        { kind: "VolumeConfig", name: "STATE", encryption: state },
        { kind: "VolumeConfig", name: "EPHEMERAL", encryption: ephemeral },
      ],
    },
  );
  expectGenerated(
    contract,
    { diskEncryption: { ephemeral: diskEncryption.ephemeral } },
    { documents: [{ kind: "VolumeConfig", name: "EPHEMERAL", encryption: ephemeral }] },
  );
});

test.each(contracts)("%s has none by default", (contract) => {
  expectGenerated(contract, { diskEncryption: {} }, {});
});

test("all problems are reported, without a passphrase", () => {
  const problems = problemsOf({
    diskEncryption: {
      state: [],
      ephemeral: [
        {},
        { nodeId: {}, static: { passphrase: "correct horse" } },
        { static: { passphrase: "" } },
        { kms: { endpoint: "kms.example.com:4050" } },
        { kms: { endpoint: "https://" } },
        { kms: { endpoint: "grpc://10.0.0.9:4050" } },
        { kms: { endpoint: "https://me:hunter2@kms.example.com" } },
      ],
    },
  });
  const kms = 'is not the endpoint of a KMS: write it like "https://kms.example.com:4050"';
  expect(problems).toEqual([
    "diskEncryption.state: is empty: a volume without a key can't be opened",
    "diskEncryption.ephemeral[0]: has no kind: set one of nodeId, kms, tpm, static",
    "diskEncryption.ephemeral[1]: has several kinds, nodeId and static: give one key for each",
    "diskEncryption.ephemeral[2].static.passphrase: is empty: anyone could open the volume",
    `diskEncryption.ephemeral[3].kms.endpoint: "kms.example.com:4050" ${kms}`,
    `diskEncryption.ephemeral[4].kms.endpoint: "https://" ${kms}`,
    `diskEncryption.ephemeral[6].kms.endpoint: "https://…@kms.example.com" ${kms}`,
  ]);
});
