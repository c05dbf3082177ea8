import * as pulumi from "@pulumi/pulumi";
import { MachineConfiguration, schematic, type SecretsBundle } from "../../../provider";
import { UNKNOWN } from "../../../provider/base/unknown";
import { documentId } from "../../../provider/config/machineConfig";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { build } from "../../components/mockedGraph";
import { sharedSecrets } from "../pki/sharedSecrets";
import { silent } from "../progress";
import { expectNoSecrets, machineConfigurationInputs, unknownValue } from "./samples";

const passphrase = "correct horse battery staple";

const options = {
  nodeLabels: { "example.com/pool": "a" },
  sysctls: { "vm.max_map_count": "262144" },
  hostname: "node-1",
  registryMirrors: { "docker.io": ["https://mirror.example.com"] },
  diskEncryption: { ephemeral: [{ static: { passphrase } }] },
  userVolumes: [{ name: "data", minSize: "10GiB", encryption: [{ static: { passphrase } }] }],
};

async function check(more: object) {
  return handler.check(undefined, { ...(await machineConfigurationInputs()), ...more });
}

describe("options of MachineConfiguration", () => {
  it("are in what it computes, no passphrase in what is shown", async () => {
    const { inputs, failures } = await check(options);
    expect(failures).toEqual([]);
    const documents = decodeDocuments(inputs.machineConfiguration);
    expect(documents[0]).toMatchObject({
      machine: { nodeLabels: options.nodeLabels, sysctls: options.sysctls },
    });
    expect(documents.slice(1).map(documentId)).toEqual([
      "RegistryMirrorConfig/docker.io",
      "HostnameConfig",
      "VolumeConfig/EPHEMERAL",
      "UserVolumeConfig/data",
    ]);
    expect(inputs.machineConfiguration).toContain(passphrase);
    expect(JSON.stringify(inputs.redactedConfiguration)).not.toContain(passphrase);
  });

  it("can be patched after they were generated", async () => {
    const patches = [
      { machine: { sysctls: { "vm.max_map_count": "1" } } },
      { apiVersion: "v1alpha1", kind: "HostnameConfig", hostname: "other" },
    ];
    const { inputs } = await check({ ...options, patches });
    expect(inputs.machineConfiguration).toContain('vm.max_map_count: "1"');
    expect(inputs.machineConfiguration).toContain("hostname: other");
  });

  it("make a diff of the lines that they are about, and the state no bigger", async () => {
    const { inputs: before } = await check(options);
    const { inputs: after } = await check({ ...options, sysctls: { "vm.max_map_count": "1" } });
    const { id, state } = await handler.create(before, silent);
    expect(handler.diff(id, state, after)).toEqual({ changes: true });
    const lines = after.machineConfiguration.split("\n");
    expect(lines.filter((line) => !before.machineConfiguration.includes(line))).toEqual([
      '        vm.max_map_count: "1"',
    ]);
    const { inputs: without } = await check({});
    const { state: smaller } = await handler.create(without, silent);
    expect(Object.keys(state)).toEqual(Object.keys(smaller));
  });

  it("are judged where they are known, and leave the rest unknown", async () => {
    const { failures } = await check({
      nodeLabels: { "example.com/zone": unknownValue },
      userVolumes: [{ name: "my volume", minSize: "1GiB" }],
      systemExtensions: [unknownValue],
      hostname: "Node",
    });
    expect(failures.map(({ property }) => property)).toEqual(["hostname", "userVolumes[0].name"]);
    const { inputs: fine, failures: none } = await check({ hostname: unknownValue });
    expect(none).toEqual([]);
    expect(fine).toMatchObject({
      machineConfiguration: UNKNOWN,
      machineConfigurationHash: UNKNOWN,
    });
  });

  it("name all problems at once, by property, and no secret", async () => {
    const { failures } = await check({
      machineType: "worker",
      nodeLabels: { "node-role.kubernetes.io/gpu": "" },
      nodeTaints: { x: "y" },
      registryMirrors: { "docker.io": ["mirror.example.com"] },
      kubeSpan: true,
      discovery: false,
      kubeletExtraArgs: { "node-labels": ["a=b", "c=d"] },
      diskEncryption: { state: [{ nodeId: {}, static: { passphrase } }] },
      schematicId: "0".repeat(64),
      systemExtensions: ["iscsi-tools"],
    });
    expect(failures.map(({ property }) => property).sort()).toEqual([
      "diskEncryption.state[0]",
      "kubeSpan",
      "kubeletExtraArgs.node-labels",
      'nodeLabels["node-role.kubernetes.io/gpu"]',
      "nodeTaints.x",
      'registryMirrors["docker.io"][0]',
      "schematicId",
      "systemExtensions[0]",
    ]);
    expect(JSON.stringify(failures)).not.toContain(passphrase);
    expectNoSecrets(failures, await sharedSecrets());
  });

  it("choose the installer by what the machines' images have", async () => {
    const systemExtensions = ["siderolabs/iscsi-tools"];
    const { inputs } = await check({ systemExtensions });
    const image = `factory.talos.dev/aws-installer/${schematic({ systemExtensions }).id}:v1.12.1`;
    expect(inputs.installerImage).toBe(image);
    expect(inputs.machineConfiguration).toContain(`image: ${image}\n`);
  });
});

test("any value in an argument may be an output, and what can hold secrets is one", async () => {
  const secretsBundle = { certs: { os: { crt: "crt", key: "key" } } } as SecretsBundle;
  const { graph } = await build(
    () =>
      new MachineConfiguration("it", {
        clusterName: "demo",
        endpoint: pulumi.interpolate`https://${pulumi.output("k8s")}.example.com:6443`,
        machineType: pulumi.output<"worker">("worker"),
        secretsBundle: pulumi.output(secretsBundle),
        platform: "aws",
        talosVersion: "v1.12.1",
        versionContract: pulumi.output("v1.12"),
        kubernetesVersion: "1.35.0",
        installDisk: "/dev/xvda",
        nodeLabels: { zone: pulumi.output("a") },
        nodeTaints: pulumi.output({ dedicated: "gpu:NoSchedule" }),
        nameservers: [pulumi.output("10.0.0.2")],
        registryMirrors: { "docker.io": pulumi.output(["https://mirror.example.com"]) },
        cni: { name: pulumi.output("none" as const) },
        discovery: pulumi.output(true),
        networkInterfaces: [
          { name: "net0", selector: { macAddress: pulumi.output("06:00:00:00:00:01") } },
        ],
        kubeletExtraArgs: { "max-pods": pulumi.output("250") },
        inlineManifests: [{ name: "a", contents: pulumi.output("kind: Namespace\n") }],
        diskEncryption: { state: [{ nodeId: {} }] },
        userVolumes: [{ name: "data", minSize: "1GiB" }],
        features: { kubePrism: { port: pulumi.output(7446) } },
        systemExtensions: [pulumi.output("siderolabs/iscsi-tools")],
      }),
  );
  const [resource] = graph.resources;
  expect(resource?.inputs).toMatchObject({
    nodeLabels: { zone: "a" },
    nodeTaints: { dedicated: "gpu:NoSchedule" },
    cni: { name: "none" },
    networkInterfaces: [{ name: "net0", selector: { macAddress: "06:00:00:00:00:01" } }],
    features: { kubePrism: { port: 7446 } },
  });
  const secret = ["diskEncryption", "inlineManifests", "secretsBundle", "userVolumes"];
  expect(resource?.secretInputs).toEqual(expect.arrayContaining(secret));
  expect(resource?.additionalSecretOutputs).toEqual(expect.arrayContaining(secret));
  expect(resource?.secretInputs).not.toContain("nodeLabels");
});
