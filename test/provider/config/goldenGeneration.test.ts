import { ConfigError } from "../../../provider/config/configError";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { MachineType } from "../../../provider/config/machineBasics";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { testRecordings } from "./golden";
import { type GoldenGeneration, goldenGenerations, newerGenerations } from "./goldenGeneration";

const machineTypes: readonly MachineType[] = ["controlplane", "worker"];

function generate({ input }: GoldenGeneration, machineType: MachineType): string {
  return encodeDocuments(generateMachineConfig({ ...input, machineType }));
}

/** Recordings in which talosctl takes what can't work, and why it is refused here. */
const stricter = new Map([
  ["k8s-out-of-range-1.28.0", 'Kubernetes "1.28.0" is too old for Talos v1.12.1'],
  ["k8s-out-of-range-1.36.0", 'Kubernetes "1.36.0" is too new for Talos v1.12.1'],
  ["k8s-out-of-range-banana", '"banana" is not a Kubernetes version'],
  ["contract-v1.13-future", 'version contract "v1.13" is newer than Talos v1.12.1'],
]);

/** A contract that encrypts with AES-CBC, recorded with a bundle that has a key of secretbox alone. */
const withoutItsKey = "contract-v1.0";

const recordings = goldenGenerations();

testRecordings(
  "recorded output",
  recordings.filter(
    ({ name, expected }) => expected !== undefined && !stricter.has(name) && name !== withoutItsKey,
  ),
  (recording) => {
    for (const machineType of machineTypes) {
      expect(generate(recording, machineType)).toBe(recording.expected?.[machineType]);
    }
  },
);

testRecordings(
  "refused there and here",
  recordings.filter(({ expected }) => expected === undefined),
  (recording) => {
    for (const machineType of machineTypes) {
      expect(() => generate(recording, machineType)).toThrow(ConfigError);
    }
  },
);

testRecordings(
  "refused here alone",
  recordings.filter(({ name }) => stricter.has(name)),
  (recording) => {
    for (const machineType of machineTypes) {
      expect(() => generate(recording, machineType)).toThrow(stricter.get(recording.name));
    }
  },
);

testRecordings(
  "the key that etcd is encrypted with is kept, where talosctl would drop it",
  recordings.filter(({ name }) => name === withoutItsKey),
  (recording) => {
    const kept = "    secretboxEncryptionSecret: ${secrets.secretboxencryptionsecret}\n";
    const ours = generate(recording, "controlplane");
    expect(ours).toContain(kept);
    expect(ours.replace(kept, "")).toBe(recording.expected?.controlplane);
    expect(generate(recording, "worker")).toBe(recording.expected?.worker);
  },
);

describe("of talosctl v1.14.1", () => {
  /** It takes a contract that is still to come for the newest. */
  const future = "contract-v1.15-future";
  const newer = newerGenerations();

  testRecordings(
    "recorded output",
    newer.filter(({ name }) => name !== future),
    (recording) => {
      for (const machineType of machineTypes) {
        expect(generate(recording, machineType)).toBe(recording.expected?.[machineType]);
      }
    },
  );

  testRecordings(
    "refused here alone",
    newer.filter(({ name }) => name === future),
    (recording) => {
      expect(() => generate(recording, "worker")).toThrow(
        'version contract "v1.15" is not supported; supported: "v1.0" to "v1.14"',
      );
    },
  );

  test("there are 17 recordings, or none", () => {
    expect([0, 17]).toContain(newer.length);
  });
});
