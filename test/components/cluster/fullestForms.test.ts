import { isDeepStrictEqual } from "node:util";
import { TalosCluster, type TalosClusterArgs } from "../../../components";
import { isMapping, type YamlValue } from "../../../provider/config/machineConfig";
import { fieldsOf } from "../../../provider/config/settings/fieldsOf";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { sharedSecrets } from "../../provider/pki/sharedSecrets";
import { fullestCluster } from "../fullestCluster";
import { build, type Graph } from "../mockedGraph";

type Inputs = Parameters<typeof handler.check>[1];

const CONFIGURATION = "pulumi-nodejs:dynamic/talos:MachineConfiguration";

/** What a cluster leaves to each machine. */
const machineConfiguration = {
  certSans: ["talos.example.com"],
  dnsDomain: "corp.internal",
  registryMirrors: { "docker.io": ["https://mirror.example.com"] },
  timeServers: ["time.example.com"],
  nameservers: ["10.0.0.2"],
  searchDomains: ["example.com"],
  sysctls: { "vm.max_map_count": "262144" },
  kernelModules: [{ name: "nbd", parameters: ["nbds_max=8"] }],
  nodeLabels: { "example.com/a": "b" },
  nodeAnnotations: { "example.com/a": "b" },
  nodeTaints: { "example.com/a": "b:NoSchedule" },
  kubeletExtraArgs: { v: "2" },
  userVolumes: [{ name: "data", minSize: "10GiB" }],
  features: { kubePrism: { port: 7446 }, hostDns: { resolveMemberNames: true } },
};

/** Workers have labels and taints by their pools. */
const { nodeLabels: _labels, nodeTaints: _taints, ...ofWorkers } = machineConfiguration;

const releases = { talosVersion: "v1.14.1", kubernetesVersion: "v1.36.3" };

const fullest: TalosClusterArgs = {
  ...fullestCluster,
  ...releases,
  metrics: ["controllerManager", "scheduler", "etcd", "kubeProxy"],
  machineConfiguration: {
    ...machineConfiguration,
    apiServerCertSans: ["k8s.example.com"],
    allowSchedulingOnControlPlanes: true,
    extraManifests: ["https://example.com/a.yaml"],
    inlineManifests: [{ name: "a", contents: "kind: List" }],
  },
  workers: { machineConfiguration: ofWorkers },
};

/** What machines have that reach nothing outside their network. */
const fromInside = {
  registryMirrors: { "*": ["https://mirror.example.com"] },
  timeServers: ["169.254.169.123"],
  discovery: false,
};

const isolated: Omit<TalosClusterArgs, "versionContract"> = {
  environment: "inside",
  domain: "example.com",
  operatorCidrs: ["10.0.0.0/8"],
  ...releases,
  exposure: "internal",
  talosApiThroughLoadBalancer: true,
  irsa: true,
  dns: { createZone: true, privateZone: true },
  network: {
    cidrBlock: "10.20.0.0/22",
    zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
    internetAccess: false,
    workerCidrBlock: "100.64.0.0/16",
    gatewayEndpoints: ["s3"],
    interfaceEndpoints: ["ec2", "elasticloadbalancing", "sts"],
  },
  addOns: {
    cloudController: { images: { "aws-cloud-controller-manager": "registry.example.com/ccm:v1" } },
    ebsCsi: true,
  },
  controlPlane: { subnets: "private", delivery: "userData" },
  machineConfiguration: fromInside,
  workers: { machineConfiguration: fromInside },
  workerPools: { apps: { machineCount: 2, subnets: "worker" } },
};

/** What documents of machines in such a cluster say. */
const INSIDE = {
  "machine.time.servers": ["169.254.169.123"],
  "RegistryMirrorConfig/*.endpoints.https://mirror.example.com.url": "https://mirror.example.com",
};

/** Settings of older contracts that v1.14 leaves out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "machine.install.disk": "Talos is installed already in an AMI",
  "machine.install.grubUseUKICmdline": "the image has its boot loader",
  "machine.kubelet.disableManifestsDirectory": "with documents, Talos has no such directory",
  "cluster.discovery.enabled=false": "only a DiscoveryServiceConfig turns it on",
  "cluster.discovery.registries.kubernetes.disabled": "there is no document for this registry",
  "cluster.inlineManifests.(order)": "each is a document of its own, by its name",
};

/** Names and values of everything that a mapping says. */
function leaves(value: YamlValue, path: string): readonly (readonly [string, YamlValue])[] {
  return isMapping(value)
    ? Object.entries(value).flatMap(([key, inner]) =>
        leaves(inner, path === "" ? key : `${path}.${key}`),
      )
    : [[path, value]];
}

describe.each([
  {
    what: "the fullest cluster",
    args: fullest,
    versionContract: "v1.13",
    least: 40,
    roles: ["demo-control-plane", "demo-apps", "demo-batch", "demo-spread"],
  },
  ...["v1.12", "v1.13"].map((versionContract) => ({
    what: "a cluster without internet",
    args: isolated,
    versionContract,
    least: 25,
    roles: ["demo-control-plane", "demo-apps"],
  })),
])("$what, in fields of $versionContract and in documents", (tried) => {
  const graphs: Graph[] = [];

  beforeAll(async () => {
    for (const versionContract of [tried.versionContract, "v1.14"]) {
      const args = { ...tried.args, versionContract };
      graphs.push((await build(() => new TalosCluster("demo", args))).graph);
    }
  });

  it("consists of the same resources, which only the configurations' form tells apart", () => {
    const [fields, documents] = graphs.map(({ resources }) =>
      resources.filter(({ type }) => !/:Machine(?:Configuration|Secrets)$/.test(type)),
    );
    expect(documents?.map(({ type, name, inputs }) => [type, name, inputs])).toEqual(
      fields?.map(({ type, name, inputs }) => [type, name, inputs]),
    );
  });

  it.each(tried.roles)("says the same of %s", async (name) => {
    const secretsBundle = await sharedSecrets();
    const rendered = await Promise.all(
      graphs.map(async (graph) => {
        const { inputs: given } = graph.named(CONFIGURATION, name);
        const { inputs, failures } = await handler.check(undefined, {
          ...(given as unknown as Inputs),
          secretsBundle,
        });
        expect(failures).toEqual([]);
        const { redactedConfiguration: outline } = inputs;
        return new Map(typeof outline === "string" ? [] : leaves(fieldsOf(outline), ""));
      }),
    );
    const [fields = new Map<string, YamlValue>(), documents] = rendered;
    expect(fields.size).toBeGreaterThan(tried.least);
    const other = [...fields].filter(
      ([path, value]) =>
        !isDeepStrictEqual(documents?.get(path), value) &&
        LEFT_OUT[value === false ? `${path}=false` : path] === undefined,
    );
    expect(other).toEqual([]);
    if (tried.args === isolated) {
      expect(Object.fromEntries(documents ?? [])).toMatchObject(INSIDE);
      expect([...(documents?.keys() ?? [])].join()).not.toContain("DiscoveryService");
    }
  });
});
