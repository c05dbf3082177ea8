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
const machineConfiguration: TalosClusterArgs["machineConfiguration"] = {
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

const args: TalosClusterArgs = {
  ...fullestCluster,
  talosVersion: "v1.14.1",
  kubernetesVersion: "v1.36.3",
  machineConfiguration: {
    ...machineConfiguration,
    apiServerCertSans: ["k8s.example.com"],
    allowSchedulingOnControlPlanes: true,
    extraManifests: ["https://example.com/a.yaml"],
    inlineManifests: [{ name: "a", contents: "kind: List" }],
  },
  workers: { machineConfiguration },
};

/** Settings of contract v1.13 that the next one leaves out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "machine.install.disk": "Talos is installed already in an AMI",
  "machine.install.grubUseUKICmdline": "the image has its boot loader",
  "machine.kubelet.disableManifestsDirectory": "with documents, Talos has no such directory",
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

describe("the fullest cluster, in fields and in documents", () => {
  const graphs: Graph[] = [];

  beforeAll(async () => {
    for (const versionContract of ["v1.13", "v1.14"]) {
      graphs.push(
        (await build(() => new TalosCluster("demo", { ...args, versionContract }))).graph,
      );
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

  it.each(["demo-control-plane", "demo-apps", "demo-batch", "demo-spread"])(
    "says the same of %s",
    async (name) => {
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
      expect(fields.size).toBeGreaterThan(40);
      const other = [...fields].filter(
        ([path, value]) =>
          !isDeepStrictEqual(documents?.get(path), value) && LEFT_OUT[path] === undefined,
      );
      expect(other).toEqual([]);
    },
  );
});
