import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { awsSchematicId, installerImage } from "../../../provider/config/installer/installerImage";
import type { MachineType } from "../../../provider/config/machineBasics";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import type { MachineConfigInput } from "../../../provider/config/machineConfigInput";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { placeholderBundle } from "./placeholders";

const machineTypes: readonly MachineType[] = ["controlplane", "worker"];

const input: MachineConfigInput = {
  clusterName: "example",
  endpoint: "https://api.example.com:6443",
  machineType: "controlplane",
  secretsBundle: placeholderBundle,
  versionContract: "v1.12",
  kubernetesVersion: "1.34.2",
  installDisk: "/dev/xvda",
  installerImage: installerImage({
    platform: "aws",
    talosVersion: "v1.12.1",
    schematicId: awsSchematicId,
  }),
  certSans: ["talos.example.com", "10.0.0.9", "fd00::9"],
  dnsDomain: "corp.internal",
};

/** The release that wrote `testdata/generate`, by contract: talosctl, and machinery of the others. */
test.each([
  ["v1.10", "v1.10.6", "1.33.2"],
  ["v1.11", "v1.11.6", "1.33.2"],
  ["v1.12", "v1.12.1", "1.34.2"],
  ["v1.13", "v1.13.9", "1.36.0"],
])(
  "with contract %s, byte for byte what Talos %s generates",
  (contract, talosVersion, kubernetesVersion) => {
    for (const machineType of machineTypes) {
      const path = join(__dirname, "testdata/generate", contract, `${machineType}.yaml`);
      const documents = generateMachineConfig({
        ...input,
        machineType,
        versionContract: contract,
        talosVersion,
        kubernetesVersion,
        installerImage: installerImage({
          platform: "aws",
          talosVersion,
          schematicId: awsSchematicId,
        }),
      });
      expect(encodeDocuments(documents)).toBe(readFileSync(path, "utf8"));
    }
  },
);

test("a newer Talos gets the cluster's own contract", () => {
  const generate = (talosVersion: string): string =>
    encodeDocuments(generateMachineConfig({ ...input, versionContract: "v1.10", talosVersion }));
  expect(generate("v1.13.9")).toBe(generate("v1.12.1"));
});

test("a contract that is older than every known Talos needs talosVersion", () => {
  expect(() => generateMachineConfig({ ...input, versionContract: "v1.5" })).toThrow(
    'talosVersion: Talos "v1.5" is not supported: write a release of v1.10 to v1.14',
  );
});

test("the endpoint's host is a name of the API up to contract v1.11, as written", () => {
  const sansOf = (versionContract: string, endpoint: string): unknown => {
    const given = { ...input, versionContract, endpoint, certSans: [], talosVersion: "v1.12.1" };
    const [config] = generateMachineConfig(given);
    return (config?.cluster as ConfigDocument | undefined)?.apiServer;
  };
  expect(sansOf("v1.11", "https://API.example.com")).toMatchObject({
    certSANs: ["API.example.com"],
  });
  expect(sansOf("v1.11", "https://[fd00::1]:6443")).toMatchObject({ certSANs: ["fd00::1"] });
  expect(sansOf("v1.12", "https://api.example.com")).not.toHaveProperty("certSANs");
});

test("a worker has no CA key and no etcd configuration", () => {
  const text = encodeDocuments(generateMachineConfig({ ...input, machineType: "worker" }));
  for (const secret of [
    "certs.os.key",
    "certs.k8s.key",
    "certs.k8saggregator.key",
    "certs.etcd.key",
    "certs.k8sserviceaccount.key",
    "secrets.secretboxencryptionsecret",
  ]) {
    expect(text).not.toContain(`\${${secret}}`);
  }
});

test("the Kubernetes API's certificate has the Talos API's names by default", () => {
  const sansOf = (more: Partial<MachineConfigInput>): string =>
    JSON.stringify(generateMachineConfig({ ...input, ...more })[0]);
  expect(sansOf({ certSans: ["a.example.com"] }).match(/a\.example\.com/g)).toHaveLength(2);
  expect(
    sansOf({ certSans: ["a.example.com"], apiServerCertSans: [] }).match(/a\.example\.com/g),
  ).toHaveLength(1);
});

test("all problems of the input are reported at once", () => {
  const wrong = { ...input, endpoint: "http://x", kubernetesVersion: "banana", clusterName: "" };
  const paths = ["clusterName", "endpoint", "kubernetesVersion"];
  const lines = paths.map((path) => `- ${path}: .*`).join("\\s+");
  expect(() => generateMachineConfig(wrong)).toThrow(new RegExp(`^3 problems .*\\s+${lines}$`));
});
