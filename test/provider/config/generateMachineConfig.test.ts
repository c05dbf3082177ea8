import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../../provider/config/configError";
import { encodeDocuments } from "../../../provider/config/encode";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { MachineConfigInput, MachineType } from "../../../provider/config/machineConfigInput";
import { awsSchematicId, installerImage } from "../../../provider/config/installerImage";
import { applyPatches } from "../../../provider/config/patch";
import { type GoldenCase, goldenCases, options, testRecordings } from "./golden";
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
  installerImage: installerImage({ talosVersion: "v1.12.1", schematicId: awsSchematicId }),
  certSans: ["talos.example.com", "10.0.0.9", "fd00::9"],
  dnsDomain: "corp.internal",
};

test.each(machineTypes)("a %s is byte for byte what talosctl v1.12.1 generates", (machineType) => {
  const expected = readFileSync(
    join(__dirname, "testdata/generate", `${machineType}.yaml`),
    "utf8",
  );
  expect(encodeDocuments(generateMachineConfig({ ...input, machineType }))).toBe(expected);
});

/** All but those of `-t`, by which talosctl writes fewer files than both. */
const golden = goldenCases().filter(({ command }) => !command.includes("-t"));

function fromCommand({ command, file }: GoldenCase, machineType: MachineType): string {
  const [, , clusterName = "", endpoint = ""] = command;
  const sans = options(command, "--additional-sans")[0]?.split(",");
  const documents = generateMachineConfig({
    clusterName,
    endpoint,
    machineType,
    secretsBundle: placeholderBundle,
    versionContract: "v1.12",
    kubernetesVersion: options(command, "--kubernetes-version")[0] ?? "1.35.0",
    installDisk: options(command, "--install-disk")[0] ?? "/dev/sda",
    installerImage:
      options(command, "--install-image")[0] ?? "ghcr.io/siderolabs/installer:v1.12.1",
    certSans: sans,
    dnsDomain: options(command, "--dns-domain")[0],
    kubeSpan: command.includes("--with-kubespan"),
    discovery: !command.includes("--with-cluster-discovery=false"),
    persist: !command.includes("--persist=false"),
    registryMirrors: Object.fromEntries(
      options(command, "--registry-mirror").map((mirror) => {
        const [registry = "", endpoint = ""] = mirror.split("=");
        return [registry, [endpoint]];
      }),
    ),
  });
  const own = machineType === "worker" ? "worker" : "control-plane";
  const patches = [
    ...options(command, "--config-patch"),
    ...options(command, `--config-patch-${own}`),
  ].map((patch) => (patch.startsWith("@") ? file(patch.slice(1)) : patch));
  return encodeDocuments(applyPatches(documents, patches));
}

/** Recordings in which talosctl takes what can't work; it is refused here. */
const stricter = ["k8s-out-of-range-1.28.0", "k8s-out-of-range-1.36.0", "k8s-out-of-range-banana"];
/** Recordings in which talosctl crashes on the worker; the control plane can be patched here. */
const crashes = ["patch-sm-delete-admission"];

const accepted = golden.filter(({ exit, name }) => exit === 0 && !stricter.includes(name));
const refused = golden.filter(({ exit, name }) => exit !== 0 || stricter.includes(name));

testRecordings("recorded output of talosctl", accepted, (recording) => {
  for (const machineType of machineTypes) {
    expect(fromCommand(recording, machineType)).toBe(recording.file(`${machineType}.yaml`));
  }
});

testRecordings("talosctl refuses, or should", refused, (recording) => {
  expect(() => fromCommand(recording, "worker")).toThrow(ConfigError);
  if (!crashes.includes(recording.name)) {
    expect(() => fromCommand(recording, "controlplane")).toThrow(ConfigError);
  }
});

test("a worker holds no key of a certificate authority and nothing of etcd", () => {
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

test("the names of the Kubernetes API's certificate are those of the Talos API unless given", () => {
  const sansOf = (more: Partial<MachineConfigInput>): string =>
    JSON.stringify(generateMachineConfig({ ...input, ...more })[0]);
  expect(sansOf({ certSans: ["a.example.com"] }).match(/a\.example\.com/g)).toHaveLength(2);
  expect(
    sansOf({ certSans: ["a.example.com"], apiServerCertSans: [] }).match(/a\.example\.com/g),
  ).toHaveLength(1);
});

test("everything that is wrong with the input is said at once", () => {
  const wrong = { ...input, endpoint: "http://x", kubernetesVersion: "banana", clusterName: "" };
  const paths = ["clusterName", "endpoint", "kubernetesVersion"];
  const lines = paths.map((path) => `- ${path}: .*`).join("\\s+");
  expect(() => generateMachineConfig(wrong)).toThrow(new RegExp(`^3 problems .*\\s+${lines}$`));
});
