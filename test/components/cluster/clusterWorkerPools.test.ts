import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { build, type Graph, valueOf } from "../mockedGraph";
import { standardCluster } from "./standardCluster";

const APPLY = "pulumi-nodejs:dynamic/talos:ConfigurationApply";
const CONFIGURATION = "pulumi-nodejs:dynamic/talos:MachineConfiguration";
const GROUP = "aws:autoscaling/group:Group";
const HEALTH = "pulumi-nodejs:dynamic/talos:ClusterHealth";
const IMMUTABLE = "pulumi-nodejs:dynamic/talos:ImmutableArguments";
const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const INSTANCE = "aws:ec2/instance:Instance";
const POLICY = "aws:iam/rolePolicy:RolePolicy";
const PROFILE = "aws:iam/instanceProfile:InstanceProfile";
const RECORD = "aws:route53/record:Record";
const TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate";

const standard: TalosClusterArgs = {
  ...standardCluster,
  environment: "prod",
  network: { zones: ["us-east-1a", "us-east-1b"], nat: "single" },
};
const kmsKeyId = "arn:aws:kms:us-east-1:123456789012:key/0123abcd";
const apps = {
  machineCount: 3,
  kmsKeyId,
  labels: { "example.com/tier": "apps" },
  taints: { dedicated: "apps:NoSchedule" },
  machines: { "2": { zone: "us-east-1a" } },
};
const pools: NonNullable<TalosClusterArgs["workerPools"]> = {
  apps,
  batch: {
    subnets: "private",
    instanceType: "m7g.large",
    labels: { arch: "arm" },
    autoScaling: { minSize: 2, maxSize: 6 },
    kmsKeyId,
  },
};
const make = (change: Partial<TalosClusterArgs> = {}) =>
  build(() => new TalosCluster("c", { ...standard, workerPools: pools, ...change }));
const refusalOf = async (change: Partial<TalosClusterArgs>) =>
  ((await make(change).catch((reason: unknown) => reason)) as Error).message;

describe("a cluster with worker pools", () => {
  let value: TalosCluster;
  let graph: Graph;

  beforeAll(async () => {
    ({ value, graph } = await make());
  });

  it("makes Talos use data volumes, beside the user volumes of all workers", async () => {
    const own = { name: "spare", volumeType: "directory" as const };
    const { graph: other } = await make({
      workers: { machineConfiguration: { userVolumes: [own] } },
      workerPools: { apps: { machineCount: 1, dataVolumes: { data: { sizeGib: 8 } } } },
    });
    expect(other.named(INSTANCE, "c-apps-1").inputs).toMatchObject({
      ebsBlockDevices: [{ deviceName: "/dev/sdg", volumeSize: 8 }],
    });
    expect(other.named(CONFIGURATION, "c-apps").inputs.userVolumes).toEqual([
      own,
      expect.objectContaining({
        name: "data",
        diskSelector: expect.stringContaining("disk.size == 8589934592u") as string,
      }),
    ]);
    expect(other.named(IMMUTABLE, "c-immutable").inputs.values).toMatchObject({
      "workerPools.apps.dataVolumes": "data 8 GiB",
    });
    expect(
      await refusalOf({
        workerPools: {
          apps: { machineCount: 1, dataVolumes: { data: { sizeGib: 0 } }, rootVolume: { iops: 1 } },
        },
      }),
    ).toMatch(
      /workerPools.apps.rootVolume.iops: it can't be 1[^]*workerPools.apps.dataVolumes\["data"\].sizeGib: it can't be 0/,
    );
  });

  it("has a load balancer in front of a pool, whose machines join it", async () => {
    const ingress = { listeners: { https: { port: 443, targetPort: 30_443 } }, allowWorld: true };
    const { value, graph } = await make({ workerPools: { apps: { machineCount: 1, ingress } } });
    expect(graph.named("aws:lb/loadBalancer:LoadBalancer", "c-apps-lb").inputs).toMatchObject({
      subnets: ["c-network-public-us-east-1a-id", "c-network-public-us-east-1b-id"],
      internal: false,
    });
    const attachment = "aws:lb/targetGroupAttachment:TargetGroupAttachment";
    expect(graph.named(attachment, "c-apps-1-ingress-https").inputs).toEqual({
      targetGroupArn: "arn:c-apps-https",
      targetId: "c-apps-1-id",
    });
    expect(graph.named(INGRESS, "c-apps-ingress-30443-from-load-balancer").inputs).toMatchObject({
      securityGroupId: "c-firewall-worker-id",
    });
    expect(await valueOf(value.ingress)).toMatchObject({ apps: { arn: "arn:c-apps-lb" } });
    const inside = await make({
      workerPools: {
        batch: {
          subnets: "private",
          ingress: { ...ingress, internal: true },
          autoScaling: { minSize: 0, maxSize: 2 },
        },
      },
    });
    expect(
      inside.graph.named("aws:lb/loadBalancer:LoadBalancer", "c-batch-lb").inputs.subnets,
    ).toEqual(["c-network-private-us-east-1a-id", "c-network-private-us-east-1b-id"]);
    expect(inside.graph.named(GROUP, "c-batch-us-east-1a").inputs.targetGroupArns).toEqual([
      "arn:c-batch-https",
    ]);
  });

  it("has AWS keep machines for the drain of the termination handler, unless a pool says how long", async () => {
    const autoScaling = { minSize: 0, maxSize: 2 };
    const { graph } = await make({
      addOns: { nodeTerminationHandler: true },
      workerPools: {
        batch: { subnets: "private", autoScaling },
        quick: { subnets: "private", autoScaling: { ...autoScaling, drainSeconds: 60 } },
      },
    });
    const hooks = graph.ofType("aws:autoscaling/lifecycleHook:LifecycleHook");
    expect(hooks.map(({ name, inputs }) => [name, inputs.heartbeatTimeout]).sort()).toEqual([
      ["c-batch-us-east-1a-drain", 180],
      ["c-batch-us-east-1b-drain", 180],
      ["c-quick-us-east-1a-drain", 60],
      ["c-quick-us-east-1b-drain", 60],
    ]);
  });

  it("creates the machines of each pool with the pool's names", async () => {
    const workers = graph.ofType(INSTANCE).filter(({ name }) => !name.includes("control-plane"));
    expect(workers.map(({ name, inputs }) => [name, inputs.subnetId])).toEqual([
      ["c-apps-1", "c-network-public-us-east-1a-id"],
      ["c-apps-2", "c-network-public-us-east-1a-id"],
      ["c-apps-3", "c-network-public-us-east-1a-id"],
    ]);
    expect(graph.named(INSTANCE, "c-apps-1").inputs).toMatchObject({
      vpcSecurityGroupIds: ["c-firewall-worker-id"],
      iamInstanceProfile: "c-workers-profile-name",
      rootBlockDevice: { kmsKeyId },
    });
    expect(graph.ofType(GROUP).map(({ name, inputs }) => [name, inputs.minSize])).toEqual([
      ["c-batch-us-east-1a", 1],
      ["c-batch-us-east-1b", 1],
    ]);
    const nodes = await valueOf(value.nodes);
    expect(
      nodes.filter(({ role }) => role === "worker").map(({ name, pool }) => [name, pool]),
    ).toEqual([
      ["c-apps-1", "apps"],
      ["c-apps-2", "apps"],
      ["c-apps-3", "apps"],
    ]);
    expect(await valueOf(value.autoScalingGroupNames)).toEqual({
      batch: {
        "us-east-1a": "c-batch-us-east-1a-name",
        "us-east-1b": "c-batch-us-east-1b-name",
      },
    });
  });

  it("gives each pool a worker's configuration with its labels and taints", async () => {
    const { graph } = await make({
      workers: { machineConfiguration: { sysctls: { "vm.swappiness": "1" } }, patches: ["a: 1"] },
      workerPools: {
        ...pools,
        apps: { machineCount: 1, ...pools.apps, patches: ["b: 2"] } as never,
      },
    });
    expect(graph.named(CONFIGURATION, "c-apps").inputs).toMatchObject({
      machineType: "worker",
      endpoint: "https://k8s.prod.example.com:6443",
      nodeLabels: { "example.com/tier": "apps" },
      nodeTaints: { dedicated: "apps:NoSchedule" },
      sysctls: { "vm.swappiness": "1" },
      patches: ["a: 1", "b: 2"],
    });
    expect(graph.named(CONFIGURATION, "c-batch").inputs).toMatchObject({ patches: ["a: 1"] });
    expect(graph.named(CONFIGURATION, "c-control-plane").inputs).not.toHaveProperty("sysctls");
    expect(graph.named(TEMPLATE, "c-batch").inputs).toMatchObject({
      instanceType: "m7g.large",
      blockDeviceMappings: [{ ebs: { kmsKeyId } }],
      userData: expect.stringMatching(
        new RegExp(`^${Buffer.from("# c-batch\n").toString("base64").slice(0, 12)}`),
      ) as string,
      networkInterfaces: [
        { associatePublicIpAddress: "false", securityGroups: ["c-firewall-worker-id"] },
      ],
    });
  });

  it("looks up an image for each pool's architecture", async () => {
    const asked: unknown[] = [];
    const { graph } = await build(
      () => new TalosCluster("c", { ...standard, workerPools: pools }),
      {
        calls: {
          "aws:ec2/getAmi:getAmi": ({ filters }) => {
            asked.push((filters as { values: string[] }[])[0]?.values[0]);
            return { id: `ami-${asked.length}` };
          },
        },
      },
    );
    expect(new Set(asked)).toEqual(
      new Set(["talos-v1.12.1-us-east-1-amd64", "talos-v1.12.1-us-east-1-arm64"]),
    );
    expect(graph.named(INSTANCE, "c-apps-1").inputs.ami).not.toBe(
      graph.named(TEMPLATE, "c-batch").inputs.imageId,
    );
  });

  it("contacts workers through the control plane, once it exists", () => {
    const apply = graph.named(APPLY, "c-apps-2");
    expect(apply.inputs).toMatchObject({ endpoint: "198.51.100.1", node: "10.0.0.2" });
    const before = graph.before(apply);
    expect(before).toContain(graph.named(APPLY, "c-control-plane-3"));
    // A machine asks for the cluster's name from its first moment.
    const boot = graph.before(graph.named(INSTANCE, "c-apps-2"));
    expect(boot).toContain(graph.ofType(RECORD)[0]);
    expect(boot.map(({ name }) => name)).not.toContain("c-control-plane-2");
    expect(graph.before(graph.named(GROUP, "c-batch-us-east-1a"))).toContain(
      graph.ofType(RECORD)[0],
    );
  });

  it("allows workers to reach a public API by their public addresses", async () => {
    expect(graph.named(INGRESS, "c-apps-1-to-api").inputs.securityGroupId).toBe(
      "c-firewall-load-balancer-id",
    );
    const inside = await make({ exposure: "both" });
    expect(inside.graph.ofType(INGRESS).map(({ name }) => name)).not.toContain("c-apps-1-to-api");
  });

  it("waits for workers by name, and for the expected number of others", () => {
    const health = graph.named(HEALTH, "c-health");
    expect(health.inputs).toMatchObject({
      workerNodes: ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
      workerEndpoint: "198.51.100.1",
      minimumOtherNodes: 2,
    });
    expect(graph.before(health)).toContain(graph.named(APPLY, "c-apps-3"));
  });

  it("does not change without pools", async () => {
    const { graph } = await make({ workerPools: {} });
    const inputs = graph.named(HEALTH, "c-health").inputs;
    expect(inputs.workerNodes).toEqual([]);
    expect(inputs).not.toHaveProperty("minimumOtherNodes");
    expect(graph.ofType(PROFILE).map(({ name }) => name)).toEqual(["c-control-plane-profile"]);
  });

  it("adds a machine, and a pool, without changing others", async () => {
    const after = await make({
      workerPools: {
        ...pools,
        apps: { ...apps, machineCount: 4 },
        more: { machineCount: 1 },
      },
    });
    const ofAll = [HEALTH, "talos-aws:index:TalosCluster", IMMUTABLE];
    // How many nodes there can be is only judged, and not kept in the state.
    const kept = ({ nodeCount: _judged, ...inputs }: Record<string, unknown>) => inputs;
    for (const { type, name, inputs } of graph.resources) {
      if (!ofAll.includes(type)) {
        expect(kept(after.graph.named(type, name).inputs)).toEqual(kept(inputs));
      }
    }
  });

  it("gives pools the role of all workers, their own, an existing one, or none", async () => {
    const { graph } = await make({
      workers: { role: { permissions: { ecrPull: true } } },
      workerPools: {
        shared: { machineCount: 1 },
        own: { machineCount: 1, role: { permissions: { clusterAutoscaler: true } } },
        taken: { machineCount: 1, role: { instanceProfileName: "theirs" } },
        powerless: { machineCount: 1, role: { none: true } },
      },
    });
    const profiles = graph
      .ofType(INSTANCE)
      .filter(({ name }) => !name.includes("control-plane"))
      .map(({ name, inputs }) => [name, inputs.iamInstanceProfile] as const);
    expect(Object.fromEntries(profiles)).toEqual({
      "c-shared-1": "c-workers-profile-name",
      "c-own-1": "c-own-profile-name",
      "c-taken-1": "theirs",
      "c-powerless-1": "",
    });
    expect(graph.named(POLICY, "c-workers-policy").inputs.policy).toContain("ecr:");
    expect(graph.named(POLICY, "c-own-policy").inputs.policy).toContain("autoscaling:");
  });

  it("tags groups for the cluster autoscaler only if nodes get their provider id", async () => {
    const tagsOf = ({ graph }: { graph: Graph }) =>
      (graph.named(GROUP, "c-batch-us-east-1a").inputs.tags as { key: string }[])
        .map(({ key }) => key)
        .filter((key) => key.startsWith("k8s.io/cluster-autoscaler/"));
    expect(tagsOf(await make())).toEqual([]);
    const tags = ["enabled", "c", "node-template/label/arch"];
    const expected = tags.map((tag) => `k8s.io/cluster-autoscaler/${tag}`);
    const manifestUrls = ["https://example.com/v1/ccm.yaml"];
    expect(tagsOf(await make({ addOns: { cloudController: { manifestUrls } } }))).toEqual(expected);
    const workers = { machineConfiguration: { externalCloudProvider: {} } };
    expect(tagsOf(await make({ workers }))).toEqual(expected);
  });

  it("gives workers the options that add-ons need on every machine", async () => {
    const { graph } = await make({
      addOns: {
        cloudController: { manifestUrls: ["https://example.com/v1/ccm.yaml"] },
        ebsCsi: { manifestUrls: ["https://example.com/v1/ebs.yaml"] },
        metricsServer: true,
      },
      workerPools: {
        system: { machineCount: 1, metadataHopLimit: 2 },
        apps: { machineCount: 1, machineConfiguration: { kubeletExtraArgs: { "max-pods": "50" } } },
      },
    });
    expect(graph.named(CONFIGURATION, "c-apps").inputs).toMatchObject({
      externalCloudProvider: {},
      registerWithFqdn: true,
      kubeletExtraArgs: { "max-pods": "50", "rotate-server-certificates": "true" },
    });
    expect(graph.named(POLICY, "c-workers-policy").inputs.policy).toContain("ec2:CreateVolume");
  });
});

describe("invalid worker pools of a cluster", () => {
  it("are reported all at once, each with its path", async () => {
    const message = await refusalOf({
      network: { zones: ["us-east-1a"] },
      workers: { role: { none: true, instanceProfileName: "x" } },
      workerPools: {
        apps: {
          machineCount: 1.5,
          instanceType: "t2.large",
          zones: ["us-east-1z"],
          labels: { "node-role.kubernetes.io/worker": "", "bad key": "x" },
          taints: { a: "x:Never" },
          imageId: "ami-1",
          imageName: "talos",
          role: { instanceProfileName: "a", permissionsBoundaryArn: "b" },
        },
        "web-1": {
          subnets: "private",
          autoScaling: { minSize: 5, maxSize: 1, moreInstanceTypes: ["m7g.large"] },
        },
        Upper: { machineCount: 1 },
        workers: { machineCount: 1 },
      },
    });
    for (const part of [
      /workers\.role\.none: it excludes instanceProfileName/,
      /workerPools\.apps\.machineCount: a pool can't have 1\.5 machines/,
      /workerPools\.apps\.instanceType: "t2.large" can't boot Talos/,
      /workerPools\.apps\.zones\[0\]: the network has no public subnet in "us-east-1z": it has "us-east-1a"/,
      /workerPools\.apps\.labels\["node-role\.kubernetes\.io\/worker"\]: .* does not let workers set on their own nodes/,
      /workerPools\.apps\.labels\["bad key"\]/,
      /workerPools\.apps\.taints\["a"\]: "x:Never" has no effect that Kubernetes knows/,
      /workerPools\.apps\.image/,
      /workerPools\.apps\.role\.instanceProfileName: it excludes permissionsBoundaryArn/,
      /workerPools\["web-1"\]\.subnets: the network has no private subnets: set network\.nat/,
      /workerPools\["web-1"\]\.autoScaling\.minSize: a pool can't have 5 machines at least and 1 at most/,
      /workerPools\["web-1"\]\.autoScaling\.moreInstanceTypes\[0\]: "m7g.large" is arm64/,
      /workerPools\.Upper: "Upper" is no name for a pool/,
      /workerPools\.workers: "workers" is what something else of the cluster is called/,
    ]) {
      expect(message).toMatch(part);
    }
  });

  it.each([
    [
      "a key that is none",
      { machineCount: 1, kmsKeyId: "arn:aws:kms:x" },
      /workerPools\.web\.kmsKeyId: "arn:aws:kms:x" is no ARN of a key/,
    ],
    ["neither", {}, /workerPools\.web\.machineCount: the number of machines is missing/],
    [
      "both",
      { machineCount: 1, autoScaling: { minSize: 1, maxSize: 2 }, subnets: "private" },
      /workerPools\.web\.machineCount: it has no effect with autoScaling/,
    ],
    [
      "machines by name among those that AWS makes",
      { machines: {}, autoScaling: { minSize: 1, maxSize: 2 }, subnets: "private" },
      /workerPools\.web\.machines: it has no effect with autoScaling/,
    ],
    [
      "an autoscaler that would know no node",
      { autoScaling: { minSize: 1, maxSize: 2, clusterAutoscaler: true }, subnets: "private" },
      /workerPools\.web\.autoScaling\.clusterAutoscaler: .*spec\.providerID.*addOns\.cloudController/,
    ],
    [
      "an autoscaler that can't learn the types of a group",
      {
        autoScaling: {
          minSize: 1,
          maxSize: 2,
          clusterAutoscaler: true,
          instanceRequirements: { vcpus: { min: 2 }, memoryGib: { min: 8 } },
        },
        machineConfiguration: { externalCloudProvider: {} },
        subnets: "private",
      },
      /workerPools\.web\.autoScaling\.instanceRequirements: the cluster autoscaler .*clusterAutoscaler false/,
    ],
    [
      "addresses that nobody knows before a public API",
      { autoScaling: { minSize: 1, maxSize: 2 } },
      /workerPools\.web\.subnets: the Kubernetes API, whose exposure is "public", allows only known addresses/,
    ],
  ])("include %s", async (_what, pool, reason) => {
    expect(await refusalOf({ workerPools: { web: pool as never } })).toMatch(reason);
  });

  it("include a role whose name is too long for IAM", async () => {
    const message = (
      (await build(
        () =>
          new TalosCluster("c".repeat(30), {
            ...standard,
            workerPools: {
              [`p${"x".repeat(35)}`]: { machineCount: 1, role: { permissions: {} } },
            },
          }),
      ).catch((reason: unknown) => reason)) as Error
    ).message;
    expect(message).toMatch(
      /workerPools\.px+\.role: the role "c+-px+-role" has a name of 72 characters/,
    );
  });
});
