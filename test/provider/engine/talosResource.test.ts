import * as pulumi from "@pulumi/pulumi";
import {
  ClientConfiguration,
  ClusterHealth,
  ClusterKubeconfig,
  ConfigurationApply,
  EtcdMember,
  FirstContact,
  ImmutableArguments,
  KubernetesManifests,
  KubernetesObjects,
  KubernetesUpgrade,
  MachineBootstrap,
  MachineConfiguration,
  MachineSecrets,
  MachineTurn,
  RotatedAuthority,
  RotatedSecret,
  RotationGate,
  type SecretsBundle,
  UserKubeconfig,
} from "../../../provider";
import { dynamicStub, type HandlerName } from "../../../provider/engine/dynamicStub";
import { build } from "../../components/mockedGraph";

const credentials = { ca: "ca", crt: "crt", key: "key" };
const machine = { node: "10.0.0.1", credentials };
const authority = { crt: "crt", key: "key" };
const secretsBundle = { certs: { os: authority, k8s: authority } } as SecretsBundle;

interface Expected {
  readonly make: (opts?: pulumi.CustomResourceOptions) => pulumi.CustomResource;
  readonly outputs: readonly string[];
  readonly secretInputs: readonly string[];
  readonly secretOutputs: readonly string[];
}

const kinds: Record<HandlerName, Expected> = {
  MachineSecrets: {
    make: (opts) => new MachineSecrets("it", { versionContract: "v1.12" }, opts),
    outputs: ["secretsBundle", "versionContract"],
    secretInputs: [],
    secretOutputs: ["secretsBundle"],
  },
  ClientConfiguration: {
    make: (opts) =>
      new ClientConfiguration(
        "it",
        { clusterName: "demo", secretsBundle, endpoints: ["10.0.0.1"] },
        opts,
      ),
    outputs: ["credentials", "talosconfig", "notAfter"],
    secretInputs: ["certificateAuthority"],
    secretOutputs: ["credentials", "talosconfig"],
  },
  MachineConfiguration: {
    make: (opts) =>
      new MachineConfiguration(
        "it",
        {
          clusterName: "demo",
          endpoint: "https://k8s.demo.example.com:6443",
          machineType: "worker",
          secretsBundle,
          platform: "aws",
          talosVersion: "v1.12.1",
          versionContract: "v1.12",
          kubernetesVersion: "1.35.0",
          installDisk: "/dev/xvda",
        },
        opts,
      ),
    outputs: [
      "machineConfiguration",
      "machineConfigurationHash",
      "redactedConfiguration",
      "installerImage",
    ],
    secretInputs: ["__seen", "machineConfiguration", "markedValues", "secretsBundle"],
    secretOutputs: ["machineConfiguration", "markedValues", "secretsBundle"],
  },
  ConfigurationApply: {
    make: (opts) =>
      new ConfigurationApply(
        "it",
        { ...machine, machineId: "i-1", machineConfiguration: "" },
        opts,
      ),
    outputs: ["node", "configurationHash"],
    secretInputs: ["__seen", "credentials", "machineConfiguration", "markedValues"],
    secretOutputs: ["credentials", "machineConfiguration", "markedValues"],
  },
  MachineBootstrap: {
    make: (opts) => new MachineBootstrap("it", machine, opts),
    outputs: ["node"],
    secretInputs: ["credentials"],
    secretOutputs: ["credentials"],
  },
  ClusterKubeconfig: {
    make: (opts) => new ClusterKubeconfig("it", machine, opts),
    outputs: ["kubeconfig", "serverUrl", "notAfter"],
    secretInputs: ["credentials"],
    secretOutputs: ["kubeconfig", "credentials"],
  },
  ClusterHealth: {
    make: (opts) =>
      new ClusterHealth(
        "it",
        { controlPlaneNodes: ["10.0.0.1"], credentials, kubeconfig: "kubeconfig" },
        opts,
      ),
    outputs: ["gates"],
    secretInputs: ["credentials", "kubeconfig"],
    secretOutputs: ["credentials", "kubeconfig"],
  },
  UserKubeconfig: {
    make: (opts) =>
      new UserKubeconfig(
        "it",
        {
          clusterName: "demo",
          serverUrl: "https://k8s.demo.example.com:6443",
          secretsBundle,
          user: "ci",
        },
        opts,
      ),
    outputs: ["kubeconfig", "notAfter"],
    secretInputs: ["certificateAuthority"],
    secretOutputs: ["kubeconfig", "client"],
  },
  KubernetesUpgrade: {
    make: (opts) =>
      new KubernetesUpgrade(
        "it",
        { ...machine, machineId: "i-1", redactedConfiguration: {} },
        opts,
      ),
    outputs: [],
    secretInputs: ["credentials"],
    secretOutputs: ["credentials"],
  },
  KubernetesManifests: {
    make: (opts) =>
      new KubernetesManifests(
        "it",
        { nodes: ["10.0.0.1"], credentials, redactedConfiguration: {} },
        opts,
      ),
    outputs: [],
    secretInputs: ["credentials"],
    secretOutputs: ["credentials"],
  },
  KubernetesObjects: {
    make: (opts) =>
      new KubernetesObjects(
        "it",
        { nodes: ["10.0.0.1"], credentials, inventory: "it", manifests: [] },
        opts,
      ),
    outputs: [],
    secretInputs: ["credentials", "salt"],
    secretOutputs: ["credentials", "salt", "digests"],
  },
  MachineTurn: {
    make: (opts) => new MachineTurn("it", { ...machine, triggers: ["m6i.large"] }, opts),
    outputs: [],
    secretInputs: ["credentials"],
    secretOutputs: ["credentials"],
  },
  EtcdMember: {
    make: (opts) => new EtcdMember("it", { ...machine, machineId: "i-1" }, opts),
    outputs: ["machineId"],
    secretInputs: ["credentials"],
    secretOutputs: ["credentials"],
  },
  FirstContact: {
    make: (opts) => new FirstContact("it", { ...machine, machineId: "i-1" }, opts),
    outputs: ["fingerprints"],
    secretInputs: ["credentials"],
    secretOutputs: ["credentials"],
  },
  ImmutableArguments: {
    make: (opts) => new ImmutableArguments("it", { values: {}, reasons: {} }, opts),
    outputs: [],
    secretInputs: [],
    secretOutputs: [],
  },
  RotatedAuthority: {
    make: (opts) => new RotatedAuthority("it", { authority: "talosCa", generation: 2 }, opts),
    outputs: ["certificateAuthority"],
    secretInputs: [],
    secretOutputs: ["certificateAuthority"],
  },
  RotatedSecret: {
    make: (opts) => new RotatedSecret("it", { secret: "trustdToken", generation: 2 }, opts),
    outputs: ["value"],
    secretInputs: [],
    secretOutputs: ["value"],
  },
  RotationGate: {
    make: (opts) =>
      new RotationGate(
        "it",
        { node: "10.0.0.1", credentials, rotation: {}, redactedConfiguration: {} },
        opts,
      ),
    outputs: [],
    secretInputs: ["credentials"],
    secretOutputs: ["credentials"],
  },
};

describe.each(Object.entries(kinds))("the class %s", (kind, expected) => {
  it("registers a dynamic resource of its kind, with secrets marked", async () => {
    const { value, graph } = await build(() => expected.make());
    const [resource] = graph.resources;
    expect(graph.resources).toHaveLength(1);
    expect(resource?.type).toBe(`pulumi-nodejs:dynamic/talos:${kind}`);
    expect(resource?.inputs.__provider).toBe(dynamicStub(kind as HandlerName));
    expect([...(resource?.secretInputs ?? [])].sort()).toEqual([...expected.secretInputs].sort());
    expect(resource?.additionalSecretOutputs).toEqual(
      expect.arrayContaining([...expected.secretOutputs]),
    );
    for (const output of expected.outputs) {
      expect(pulumi.Output.isInstance(new Map(Object.entries(value)).get(output))).toBe(true);
    }
  });

  it("keeps given options beside its own", async () => {
    const { graph } = await build(() =>
      expected.make({
        protect: true,
        ignoreChanges: ["x"],
        additionalSecretOutputs: ["theirs"],
      }),
    );
    const [resource] = graph.resources;
    expect(resource).toMatchObject({ protect: true, ignoreChanges: ["x"] });
    expect(resource?.additionalSecretOutputs).toEqual(
      expect.arrayContaining(["theirs", ...expected.secretOutputs]),
    );
  });
});

it("passes its own URN to its handler, whatever its parents are", async () => {
  const { graph } = await build(() => {
    const outer = new pulumi.ComponentResource("test:index:Outer", "outer");
    const inner = new pulumi.ComponentResource("test:index:Inner", "inner", {}, { parent: outer });
    new MachineBootstrap("in-both", machine, { parent: inner });
    new MachineBootstrap("in-outer", machine, { parent: outer });
    new MachineBootstrap("top", machine);
  });
  const type = "pulumi-nodejs:dynamic/talos:MachineBootstrap";
  const stack = "urn:pulumi:test::talos-aws";
  expect(graph.ofType(type).map(({ inputs }) => inputs.__urn)).toEqual([
    `${stack}::${type}::top`,
    `${stack}::test:index:Outer$${type}::in-outer`,
    `${stack}::test:index:Outer$test:index:Inner$${type}::in-both`,
  ]);
});

it("tells its handler which arguments a program certainly gives", async () => {
  const { graph } = await build(() => {
    const node = pulumi.output("10.0.0.4");
    const drain = { timeoutSeconds: pulumi.output(60) };
    new EtcdMember("it", { ...machine, node, drain, machineId: "i-1" });
  });
  const [member] = graph.ofType("pulumi-nodejs:dynamic/talos:EtcdMember");
  const given = member?.inputs.__given;
  expect(given).toEqual(expect.arrayContaining(["machineId", "drain", "timeoutSeconds"]));
  expect(given).not.toContain("node");
  expect(given).not.toContain("rotation");
});
