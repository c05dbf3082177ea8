import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answersOfState, type RecordedResource } from "../../../cli/offline/answersOfState";
import { TalosCluster, type TalosClusterArgs } from "../../../components";
import { answeringFrom } from "../../../components/account";
import { functionKinds } from "../../../emulator/aws/plugin/functions/functionKinds";
import { standardCluster } from "../../components/cluster/standardCluster";
import { build, calls, type Graph } from "../../components/mockedGraph";

const ROOT = join(__dirname, "../../..");

/** The emulated account answers as the real one, because nothing of a stack is in the answer. */
const ANYWHERE = [
  "aws:index/getRegion:getRegion",
  "aws:index/getAvailabilityZones:getAvailabilityZones",
  "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings",
];

/** What else components ask AWS for, and why a preview without an account needs no answer. */
const OTHERS: Readonly<Record<string, string>> = {
  "aws:ec2/getAmi:getAmi": "the state: answersOfState",
  "aws:ec2/getAmiIds:getAmiIds": "the state: answersOfState",
  "aws:route53/getZone:getZone": "the state: answersOfState",
  "aws:ec2/getVpc:getVpc": "an adopted network is taken as it is; nodes are removed in an update",
  "aws:ec2/getSubnet:getSubnet": "an adopted network is taken as it is",
  "aws:servicequotas/getServiceQuota:getServiceQuota": "without an answer, usual quotas count",
  "aws:kms/getKey:getKey": "nobody asks: keys of a cluster that exists count as usable",
  "aws:ec2/getInstance:getInstance": "a hook asks in an update",
  "aws:ec2/getInstances:getInstances": "a hook or a wait asks in an update",
  "aws:s3/getObject:getObject": "SchematicImage, which is no part of an environment",
};

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(ROOT, folder, name), "utf8").replaceAll(/^ *\*.*$/gm, ""));
}

describe("what components ask AWS for", () => {
  const asked = new Set(
    [...sources("components"), ...sources("environments")].flatMap((text) =>
      [...text.matchAll(/\baws\.(?:(\w+)\.)?(get[A-Z]\w*?)(?:Output)?\(/g)].map(
        ([, module = "index", name = ""]) => `aws:${module}/${name}:${name}`,
      ),
    ),
  );

  it("has an answer in a preview without an account", () => {
    expect([...asked].sort()).toEqual([...ANYWHERE, ...Object.keys(OTHERS)].sort());
    expect([...asked].filter((token) => !functionKinds.has(token))).toEqual([]);
  });
});

/** Each feature that asks for something, or whose machines need an image. */
const args: TalosClusterArgs = {
  ...standardCluster,
  network: { zones: ["us-east-1a", "us-east-1b"], nat: "single" },
  irsa: true,
  access: {
    aws: {
      issuerUrl: "https://0123456789ab.tokens.sts.global.api.aws",
      roles: { "arn:aws:iam::123456789012:role/operators": ["operators"] },
    },
  },
  addOns: {
    cilium: true,
    cloudController: true,
    clusterAutoscaler: true,
    etcdBackup: { agePublicKey: "none" },
    auditLog: true,
    flux: { url: "https://example.com/fleet.git", path: "clusters/demo" },
    karpenter: true,
  },
  workerPools: {
    apps: { machineCount: 1 },
    scaled: {
      subnets: "private",
      autoScaling: { minSize: 0, maxSize: 2, moreInstanceTypes: ["m5.large"] },
    },
    wide: {
      subnets: "private",
      autoScaling: {
        minSize: 0,
        maxSize: 2,
        clusterAutoscaler: false,
        instanceRequirements: { vcpus: { min: 2 }, memoryGib: { min: 4 } },
      },
    },
    any: {
      subnets: "private",
      karpenter: { limits: { vcpus: 8 }, architectures: ["amd64", "arm64"] },
    },
  },
};

const recorded = (type: string, name: string, more: object): RecordedResource => ({
  type: `talos-aws:index:${type}`,
  urn: `urn:pulumi:dev::demo::${type}::${name}`,
  ...more,
});
const image = (name: string, imageId: string) =>
  recorded("MachineImage", name, { outputs: { imageId } });
const configuration = (name: string, talosVersion = standardCluster.talosVersion) =>
  recorded("MachineConfiguration", name, { inputs: { talosVersion } });

const state: readonly RecordedResource[] = [
  configuration("c-control-plane"),
  ...["apps", "scaled", "wide", "any"].map((pool) => configuration(`c-${pool}`)),
  recorded("Instance", "c-control-plane-1", { inputs: { instanceType: "m6i.large" } }),
  recorded("Instance", "c-apps-1", { inputs: { instanceType: "m7g.large" } }),
  recorded("LaunchTemplate", "c-scaled", { inputs: { instanceType: "m6i.large" } }),
  recorded("LaunchTemplate", "c-wide", { inputs: {} }),
  image("c-image", "ami-control"),
  image("c-apps-image", "ami-apps"),
  image("c-scaled-image", "ami-scaled"),
  image("c-wide-image", "ami-wide"),
  image("c-any-image-amd64", "ami-amd64"),
  image("c-any-image-arm64", "ami-arm64"),
  recorded("DnsRecord", "c-dns", { outputs: { zoneId: "Z0RECORDED", nameServers: ["ns-1"] } }),
];

const NOTHING = "ami-00000000000000000";

/** A preview of which the account knows nothing that a stack has. */
async function previewed(given: TalosClusterArgs): Promise<Graph> {
  const silent = [...Object.keys(calls), ...Object.keys(OTHERS)]
    .filter((token) => !ANYWHERE.includes(token))
    .map((token) => [
      token,
      () => {
        throw new Error(`nobody answers ${token}`);
      },
    ]);
  const { graph } = await build(
    () => answeringFrom(answersOfState(state), () => new TalosCluster("c", given)),
    { preview: true, calls: Object.fromEntries(silent) as typeof calls },
  );
  return graph;
}

describe("a preview without an account", () => {
  it("has the images and the zone of the state, of all kinds of pools", async () => {
    const graph = await previewed(args);
    const images = Object.fromEntries(
      [
        ...graph.ofType("aws:ec2/instance:Instance"),
        ...graph.ofType("aws:ec2/launchTemplate:LaunchTemplate"),
      ].map(({ name, inputs }) => [name, inputs.ami ?? inputs.imageId]),
    );
    expect(images).toEqual({
      "c-control-plane-1": "ami-control",
      "c-control-plane-2": "ami-control",
      "c-control-plane-3": "ami-control",
      // Its machine had another architecture.
      "c-apps-1": NOTHING,
      "c-scaled": "ami-scaled",
      "c-wide": "ami-wide",
    });
    expect(graph.named("aws:route53/record:Record", "c-dns-alias").inputs.zoneId).toBe(
      "Z0RECORDED",
    );
  });

  it("takes an adopted network as it is, and a zone by its id", async () => {
    const graph = await previewed({
      ...standardCluster,
      dns: { zoneId: "Z0123456789ABCDEFGHIJ" },
      network: {
        adopt: {
          vpcId: "vpc-0123456789abcdef0",
          publicSubnetIds: { "us-east-1a": "subnet-0123456789abcdef0" },
        },
      },
    });
    const [instance] = graph.ofType("aws:ec2/instance:Instance");
    expect(instance?.inputs.subnetId).toBe("subnet-0123456789abcdef0");
    expect(graph.named("aws:route53/record:Record", "c-dns-alias").inputs.zoneId).toBe(
      "Z0123456789ABCDEFGHIJ",
    );
  });
});

describe("the answers of a state", () => {
  const { imageId } = answersOfState(state);
  const talosVersion = "v1.12.1";

  it("are an image of Karpenter for each architecture", () => {
    expect(imageId("c-any-image-amd64", { talosVersion, architecture: "amd64" })).toBe("ami-amd64");
    expect(imageId("c-any-image-arm64", { talosVersion, architecture: "arm64" })).toBe("ami-arm64");
  });

  it("are zeros for another release and for what isn't there yet", () => {
    const architecture = "amd64";
    expect(imageId("c-image", { talosVersion: "v1.13.9", architecture })).toBe(NOTHING);
    expect(imageId("c-new-image", { talosVersion, architecture })).toBe(NOTHING);
    expect(answersOfState([]).hostedZone("c-dns", undefined).zoneId).toMatch(/^Z0+$/);
  });
});
