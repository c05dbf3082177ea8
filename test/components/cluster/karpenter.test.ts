import { parseAllDocuments } from "yaml";
import type { ClusterWorkerPoolArgs } from "../../../components";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import type { PolicyStatement } from "../../../components/permissions/policyDocument";
import { valueOf } from "../mockedGraph";
import { make, talos } from "./clusters";

const OBJECTS = talos("KubernetesObjects");
const CONFIGURATION = talos("MachineConfiguration");
const POLICY = "aws:iam/rolePolicy:RolePolicy";

const ANY_ID = { id: expect.any(String) as string };

type Made = Awaited<ReturnType<typeof make>>["graph"];

const spot: ClusterWorkerPoolArgs = {
  subnets: "private",
  karpenter: { limits: { vcpus: 64 }, capacityTypes: ["spot"] },
  labels: { "example.com/tier": "batch" },
  taints: { "example.com/batch": "NoSchedule" },
};
const cluster: Partial<TalosClusterArgs> = {
  network: { zones: ["us-east-1a", "us-east-1b"], nat: "single" },
  irsa: true,
  addOns: { cloudController: true, karpenter: true },
  workerPools: { apps: { machineCount: 1 }, spot },
  tags: { team: "platform" },
};

const manifestsOf = (graph: Made, name: string) =>
  graph.named(OBJECTS, name).inputs.manifests as { name: string; contents: string }[];
const objectsOf = (graph: Made, manifest: string) =>
  manifestsOf(graph, "c-karpenter")
    .filter(({ name }) => name === manifest)
    .flatMap(({ contents }) => parseAllDocuments(contents))
    .map((document) => document.toJS() as { kind: string; spec: Record<string, unknown> });
const statementsOf = (graph: Made, name: string) =>
  (JSON.parse(String(graph.named(POLICY, name).inputs.policy)) as { Statement: PolicyStatement[] })
    .Statement;
const refusalOf = async (change: Partial<TalosClusterArgs>) =>
  ((await make({ ...cluster, ...change }).catch((reason: unknown) => reason)) as Error).message;

describe("a cluster with a pool of Karpenter", () => {
  let graph: Made;

  beforeAll(async () => {
    ({ graph } = await make(cluster));
  });

  it("tells Karpenter of the pool in its own list, which the cluster's end doesn't skip", () => {
    expect(manifestsOf(graph, "c-karpenter").map(({ name }) => name)).toEqual([
      "karpenter",
      "karpenter-pool-spot",
    ]);
    const list = graph.named(OBJECTS, "c-karpenter");
    expect(list).toMatchObject({
      deletedWith: "",
      inputs: { inventory: "karpenter", awaitDeletions: true },
    });
    expect(list.secretInputs).toContain("manifests");
    expect(objectsOf(graph, "karpenter").map(({ kind }) => kind)).toEqual([
      ...Array<string>(4).fill("CustomResourceDefinition"),
      "ServiceAccount",
      "ClusterRole",
      "ClusterRoleBinding",
      "Role",
      "RoleBinding",
      "Deployment",
    ]);
    const [nodeClass, nodePool] = objectsOf(graph, "karpenter-pool-spot");
    expect(nodeClass).toMatchObject({
      kind: "EC2NodeClass",
      spec: {
        instanceProfile: "c-workers-profile-name",
        amiSelectorTerms: [{ id: "ami-0123456789abcdef0" }],
        subnetSelectorTerms: [ANY_ID, ANY_ID],
        associatePublicIPAddress: false,
        tags: { Name: "c-spot", team: "platform" },
      },
    });
    expect(nodePool).toMatchObject({
      kind: "NodePool",
      spec: {
        limits: { cpu: "64" },
        template: {
          metadata: { labels: { "example.com/tier": "batch" } },
          spec: { taints: [{ key: "example.com/batch", effect: "NoSchedule" }] },
        },
      },
    });
  });

  it("has machines register with Karpenter's taint, and leaves labels and taints to Karpenter", () => {
    const { inputs } = graph.named(CONFIGURATION, "c-spot");
    expect(inputs).toMatchObject({
      machineType: "worker",
      nodeTaints: { "karpenter.sh/unregistered": "NoExecute" },
    });
    expect(inputs).not.toHaveProperty("nodeLabels");
  });

  it("gives Karpenter a role of its own, for the roles of its pools alone", () => {
    expect(statementsOf(graph, "c-karpenter-pools")).toEqual([
      {
        Sid: "KarpenterPassRole",
        Effect: "Allow",
        Action: ["iam:PassRole"],
        Resource: ["arn:c-workers-role"],
        Condition: {
          StringEquals: { "iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"] },
        },
      },
    ]);
    const own = statementsOf(graph, "c-karpenter").map(({ Sid }) => Sid);
    expect(own).toContain("KarpenterLaunch");
    expect(JSON.stringify(statementsOf(graph, "c-control-plane-policy"))).not.toContain(
      "Karpenter",
    );
  });

  it("tells readers of its outputs that there are machines without names", async () => {
    const { value } = await make(cluster);
    expect(await valueOf(value.autoScalingGroupNames)).toEqual({ spot: {} });
  });

  it("makes a queue that EventBridge fills, with the name that Karpenter reads", () => {
    const [queue] = graph.ofType("aws:sqs/queue:Queue");
    const name = String(queue?.inputs.name);
    expect(name).toMatch(/^karpenter-k8s-sandbox-example-com-[0-9a-f]{8}$/);
    expect(manifestsOf(graph, "c-karpenter")[0]?.contents).toContain(
      `--interruption-queue=${name}`,
    );
    expect(JSON.stringify(statementsOf(graph, "c-karpenter"))).toContain(`:${name}"`);
    const [rule] = graph.ofType("aws:cloudwatch/eventRule:EventRule");
    expect(String(rule?.inputs.eventPattern)).toContain("EC2 Spot Instance Interruption Warning");
    expect(graph.ofType("aws:cloudwatch/eventTarget:EventTarget")).toHaveLength(1);
  });

  it("makes an image for each architecture, and one configuration", async () => {
    const karpenter = { limits: { vcpus: 64 }, architectures: ["amd64", "arm64"] as const };
    const { graph: both } = await make({
      ...cluster,
      workerPools: { spot: { ...spot, karpenter } },
    });
    const names = both
      .ofType("talos-aws:index:MachineImage")
      .map(({ name }) => name)
      .filter((name) => name.startsWith("c-spot"));
    expect(names).toEqual(["c-spot-image-amd64", "c-spot-image-arm64"]);
    const [nodeClass] = objectsOf(both, "karpenter-pool-spot");
    expect(nodeClass?.spec.amiSelectorTerms).toHaveLength(2);
  });

  it("keeps Karpenter while no pool has it", async () => {
    const { graph: idle } = await make({ ...cluster, workerPools: { apps: { machineCount: 1 } } });
    expect(manifestsOf(idle, "c-karpenter").map(({ name }) => name)).toEqual(["karpenter"]);
    expect(idle.ofType(POLICY).map(({ name }) => name)).not.toContain("c-karpenter-pools");
  });
});

describe("a preview", () => {
  it("refuses what can't work with a pool of Karpenter, all at once", async () => {
    expect(
      await refusalOf({
        addOns: { cloudController: true },
        workerPools: {
          spot: {
            ...spot,
            role: { none: true },
            labels: { "karpenter.sh/nodepool": "other" },
            machineCount: 1,
          } as never,
        },
      }),
    ).toMatch(
      /workerPools\.spot\.labels\["karpenter.sh\/nodepool"\]: Karpenter sets[^]*workerPools\.spot\.karpenter: nothing launches its machines[^]*workerPools\.spot\.role: machines of Karpenter have a role[^]*workerPools\.spot\.machineCount: it has no effect/,
    );
    expect(await refusalOf({ addOns: { karpenter: true }, irsa: false })).toMatch(
      /addOns\.karpenter: it knows nodes by their spec\.providerID[^]*addOns\.karpenter: it may launch machines/,
    );
    expect(await refusalOf({ workerPools: { spot: { ...spot, subnets: "public" } } })).toMatch(
      /workerPools\.spot\.subnets: .*machines of Karpenter in public subnets/,
    );
    const { taints: _none, ...apps } = spot;
    const addOns = { ...cluster.addOns, karpenter: { version: "v1.14.0" } };
    expect(await refusalOf({ addOns, workerPools: { apps } })).toMatch(
      /addOns\.karpenter\.version: "v1\.14\.0" is of another minor/,
    );
  });
});
