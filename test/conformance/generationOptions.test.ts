import { parse } from "yaml";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineType } from "../../provider/config/machineBasics";
import type { MachineConfigInput } from "../../provider/config/machineConfigInput";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { arbitraryOptions } from "../provider/config/generate/arbitraryOptions";
import { newestContract } from "./support/oracleRelease";
import { oracleMinors } from "./support/talosCode";
import { describeWithTalosctl } from "./support/talosctl";
import { describeWithOracles } from "./support/withOracles";

const machineTypes: readonly MachineType[] = ["controlplane", "worker"];

const defaults = {
  clusterName: "example",
  endpoint: "https://api.example.com:6443",
  kubernetesVersion: "1.32.0",
  installDisk: "/dev/sda",
  installerImage: "ghcr.io/siderolabs/installer:v1.12.1",
};

type Options = Partial<MachineConfigInput>;

const encryption = [{ kms: { endpoint: "https://kms.example.com:4050" } }, { nodeId: {} }];

/** Every option, each alone, and whether only a newer Talos has it. */
const optionByName: Readonly<Record<string, Options>> = {
  persist: { persist: true },
  kubeSpan: { kubeSpan: true },
  discovery: { discovery: false },
  discoveryEndpoint: { discoveryEndpoint: "https://discovery.example.com" },
  timeServers: { timeServers: ["169.254.169.123", "time.example.com"] },
  registryMirrors: { registryMirrors: { "docker.io": ["https://mirror.example.com"] } },
  "cni none": { cni: { name: "none" } },
  "cni custom": { cni: { name: "custom", urls: ["https://example.com/cni.yaml"] } },
  nodeLabels: { nodeLabels: { "example.com/pool": "a" } },
  nodeAnnotations: { nodeAnnotations: { "example.com/note": "a note" } },
  nodeTaints: { nodeTaints: { dedicated: "gpu:NoSchedule", drained: "NoExecute" } },
  allowSchedulingOnControlPlanes: { allowSchedulingOnControlPlanes: true },
  hostname: { hostname: "node-1.example.com" },
  resolvers: { nameservers: ["10.0.0.2", "fd00::2"], searchDomains: ["example.com"] },
  networkInterfaces: {
    networkInterfaces: [
      { name: "eth0", dhcp: true, mtu: 9001 },
      {
        name: "private",
        selector: { macAddress: "06:*", busPath: "0000:00:06.0", pciId: "1D0F:*", driver: "ena" },
        addresses: ["10.0.1.5/24"],
        routes: [{ gateway: "10.0.1.1" }, { destination: "10.20.0.0/16", gateway: "10.0.1.1" }],
      },
    ],
  },
  sysctls: { sysctls: { "vm.max_map_count": "262144" } },
  kernelModules: { kernelModules: [{ name: "nvme_tcp", parameters: ["a=1"] }] },
  kubeletExtraArgs: { kubeletExtraArgs: { "max-pods": "250" } },
  extraManifests: { extraManifests: ["https://example.com/a.yaml"] },
  inlineManifests: { inlineManifests: [{ name: "a", contents: "kind: Namespace\n" }] },
  externalCloudProvider: { externalCloudProvider: { manifests: ["https://example.com/ccm.yaml"] } },
  diskEncryption: { diskEncryption: { state: encryption, ephemeral: encryption } },
  userVolumes: {
    userVolumes: [{ name: "data", minSize: "10GiB", maxSize: "1TB", grow: true, encryption }],
  },
  features: {
    features: {
      kubePrism: { port: 7446 },
      hostDns: { forwardKubeDnsToHost: false, resolveMemberNames: true },
      kubernetesTalosApiAccess: {
        allowedRoles: ["os:reader"],
        allowedKubernetesNamespaces: ["kube-system"],
      },
    },
  },
  "features off": {
    features: { kubePrism: { enabled: false }, hostDns: { enabled: false } },
  },
};

let secretsBundle: SecretsBundle;

beforeAll(async () => {
  secretsBundle = await generateSecretsBundle();
});

function generate(versionContract: string, options: Options): string {
  const machineType = "controlplane";
  const input = { ...defaults, machineType, secretsBundle, versionContract, ...options } as const;
  return encodeDocuments(generateMachineConfig(input));
}

describeWithTalosctl("what the real talosctl says of options", (talosctl) => {
  const accepts = (config: string): Promise<boolean> =>
    talosctl.accepts(
      "validate",
      "--mode",
      "cloud",
      "--strict",
      "--config",
      talosctl.write("config.yaml", config),
    );

  describe.each(["v1.10", "v1.11", "v1.12"])("in contract %s", (contract) => {
    test.each(Object.entries(optionByName))(
      "%s gives a strictly valid configuration",
      async (_, options) => {
        for (const machineType of machineTypes) {
          expect(await accepts(generate(contract, { ...options, machineType }))).toBe(true);
        }
      },
    );
  });

  test("a configuration that breaks it is rejected with its message", async () => {
    expect(await accepts(generate("v1.12", { persist: false }))).toBe(false);
  });

  const flags: readonly (readonly [string, Options, readonly string[]])[] = [
    ["KubeSpan", { kubeSpan: true }, ["--with-kubespan"]],
    ["no KubeSpan", { kubeSpan: false }, ["--with-kubespan=false"]],
    ["no discovery", { discovery: false }, ["--with-cluster-discovery=false"]],
    ["no persistence", { persist: false }, ["--persist=false"]],
    [
      "a mirror",
      { registryMirrors: { "docker.io": ["https://a.example.com", "http://b:5000/v2/x"] } },
      [
        "--registry-mirror",
        "docker.io=https://a.example.com",
        "--registry-mirror",
        "docker.io=http://b:5000/v2/x",
      ],
    ],
    [
      "no CNI",
      { cni: { name: "none" } },
      ["--config-patch", "cluster: {network: {cni: {name: none}}}"],
    ],
  ];

  describe.each(["v1.10", "v1.11", "v1.12"])("in contract %s", (contract) => {
    test.each(flags)(
      "%s equals the result of talosctl's flag, byte for byte",
      async (name, options, args) => {
        const { clusterName, endpoint, kubernetesVersion, installDisk, installerImage } = defaults;
        const output = `${contract} ${name}`;
        await talosctl.run("gen", "secrets", "-o", "secrets.yaml", "--force");
        const secrets = parse(talosctl.read("secrets.yaml")) as SecretsBundle;
        await talosctl.run(
          "gen",
          "config",
          clusterName,
          endpoint,
          "--with-secrets",
          "secrets.yaml",
          "--talos-version",
          contract,
          "--kubernetes-version",
          kubernetesVersion,
          "--install-disk",
          installDisk,
          "--install-image",
          installerImage,
          "--with-docs=false",
          "--with-examples=false",
          "--output",
          output,
          ...args,
        );
        for (const machineType of machineTypes) {
          expect(generate(contract, { ...options, machineType, secretsBundle: secrets })).toBe(
            talosctl.read(output, `${machineType}.yaml`),
          );
        }
      },
    );
  });
});

const title = "what the code of each Talos minor says of options";
describeWithOracles(title, "options", ({ oracle, secretInput, eachInput }) => {
  let secrets: SecretsBundle;
  beforeAll(async () => {
    secrets = await secretInput("secrets bundle", () => generateSecretsBundle());
  });

  const configOf = (versionContract: string, options: Options) =>
    generate(versionContract, { ...options, secretsBundle: secrets });

  const verdict = (minor: (typeof oracleMinors)[number], config: string) =>
    oracle(minor).validate(config, { strict: true });

  describe.each(oracleMinors)("%s", (minor) => {
    test.each(Object.entries(optionByName))("accepts %s", async (_, options) => {
      for (const machineType of machineTypes) {
        const config = configOf(newestContract(minor), { ...options, machineType });
        expect(await verdict(minor, config)).toEqual({ result: expect.anything() as unknown });
      }
    });

    test("accepts any combination", async () => {
      const inputs = {
        name: `options of ${minor}`,
        arbitrary: arbitraryOptions(newestContract(minor)),
        count: 150,
        variable: "TALOS_OPTIONS_RUNS",
      };
      await eachInput(inputs, async (options) => {
        const answer = await verdict(minor, configOf(newestContract(minor), options));
        expect(answer).toEqual({ result: expect.anything() as unknown });
      });
    });
  });

  test("v1.13 accepts configurations of older contracts with its new options", async () => {
    for (const contract of ["v1.10", "v1.11", "v1.12"]) {
      const config = configOf(contract, {
        talosVersion: "v1.13.9",
        kubeletExtraArgs: { "node-labels": ["a=b", "c=d"] },
        userVolumes: [{ name: "scratch", volumeType: "directory" }],
      });
      expect(await verdict("v1.13", config)).toEqual({ result: expect.anything() as unknown });
    }
  });
});
