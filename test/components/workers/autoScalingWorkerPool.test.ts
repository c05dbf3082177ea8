import * as aws from "@pulumi/aws";
import { AutoScalingWorkerPool } from "../../../components/workers/autoScalingWorkerPool";
import type { AutoScalingWorkerPoolArgs } from "../../../components/workers/workerPoolArgs";
import { build, valueOf } from "../mockedGraph";

const GROUP = "aws:autoscaling/group:Group";
const TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate";
const standard: AutoScalingWorkerPoolArgs = {
  clusterName: "prod",
  subnets: { a: { id: "subnet-a" }, b: { id: "subnet-b" } },
  imageId: "ami-1",
  securityGroupId: "sg-workers",
  machineConfiguration: "machine: {}\n",
  minSize: 1,
  maxSize: 5,
};
const make = (change: Partial<AutoScalingWorkerPoolArgs> = {}, options = {}) =>
  build(() => new AutoScalingWorkerPool("c-web", { ...standard, ...change }), options);
const tagsOf = (inputs: Record<string, unknown>) =>
  Object.fromEntries(
    (inputs.tags as { key: string; value: string }[]).map(({ key, value }) => [key, value]),
  );

describe("AutoScalingWorkerPool", () => {
  it("creates machines that are as hardened as others", async () => {
    const { graph } = await make({ instanceProfileName: "profile" });
    const { inputs, secretInputs } = graph.named(TEMPLATE, "c-web");
    expect(inputs).toMatchObject({
      imageId: "ami-1",
      instanceType: "m6i.large",
      userData: Buffer.from("machine: {}\n").toString("base64"),
      iamInstanceProfile: { name: "profile" },
      metadataOptions: {
        httpTokens: "required",
        httpPutResponseHopLimit: 1,
        instanceMetadataTags: "disabled",
      },
      networkInterfaces: [{ associatePublicIpAddress: "true", securityGroups: ["sg-workers"] }],
      blockDeviceMappings: [
        { deviceName: "/dev/xvda", ebs: { encrypted: "true", volumeType: "gp3", volumeSize: 50 } },
      ],
      privateDnsNameOptions: { hostnameType: "ip-name" },
      updateDefaultVersion: true,
    });
    expect(inputs).not.toHaveProperty("keyName");
    expect(secretInputs).toContain("userData");
    expect(inputs.tagSpecifications).toContainEqual({
      resourceType: "instance",
      tags: { Name: "c-web", "kubernetes.io/cluster/prod": "owned" },
    });
  });

  it("encrypts volumes with the given key", async () => {
    const kmsKeyId = "arn:aws:kms:us-east-1:123456789012:key/0123abcd";
    const { graph } = await make({ kmsKeyId });
    expect(graph.named(TEMPLATE, "c-web").inputs).toMatchObject({
      blockDeviceMappings: [{ ebs: { encrypted: "true", kmsKeyId } }],
    });
    await expect(make({ kmsKeyId: "0123abcd" })).rejects.toThrow(
      /kmsKeyId: "0123abcd" is no ARN of a key/,
    );
  });

  it("launches machines with data volumes, and a root volume of the given performance", async () => {
    const { graph } = await make({
      rootVolume: { throughputMib: 250 },
      dataVolumes: { data: { sizeGib: 100, type: "io2", iops: 5_000 } },
    });
    const ebs = { encrypted: "true", deleteOnTermination: "true" };
    expect(graph.named(TEMPLATE, "c-web").inputs.blockDeviceMappings).toEqual([
      {
        deviceName: "/dev/xvda",
        ebs: { ...ebs, volumeType: "gp3", throughput: 250, volumeSize: 50 },
      },
      {
        deviceName: "/dev/sdg",
        ebs: { ...ebs, volumeType: "io2", iops: 5_000, volumeSize: 100 },
      },
    ]);
    await expect(make({ dataVolumes: { data: { sizeGib: 0 } } })).rejects.toThrow(
      /dataVolumes\["data"\].sizeGib: it can't be 0/,
    );
  });

  it("limits burstable machines to the CPU credits that they earn, and refuses others beside them", async () => {
    const burstable = { instanceType: "t3.large", cpuCredits: "standard" } as const;
    const { graph } = await make(burstable);
    expect(graph.named(TEMPLATE, "c-web").inputs.creditSpecification).toEqual({
      cpuCredits: "standard",
    });
    const plain = await make({ instanceType: "t3.large" });
    expect(plain.graph.named(TEMPLATE, "c-web").inputs).not.toHaveProperty("creditSpecification");
    await expect(
      make({ ...burstable, moreInstanceTypes: ["t3a.large", "m6i.large"] }),
    ).rejects.toThrow(/cpuCredits: "m6i.large" earns no CPU credits/);
    const instanceRequirements = { vcpus: { min: 2 }, memoryGib: { min: 8 }, burstable: true };
    await expect(make({ ...burstable, instanceRequirements })).rejects.toThrow(
      /cpuCredits: instanceRequirements allow types that earn no CPU credits/,
    );
  });

  it("places machines, and lets AWS choose their types and their capacity", async () => {
    const { graph } = await make({
      placementGroup: { strategy: "spread" },
      capacityReservation: { preference: "none" },
      instanceRequirements: { vcpus: { min: 2, max: 2 }, memoryGib: { min: 8, max: 8 } },
    });
    const { inputs } = graph.named(TEMPLATE, "c-web");
    expect(inputs).toMatchObject({
      placement: { groupName: "c-web-name" },
      capacityReservationSpecification: { capacityReservationPreference: "none" },
    });
    expect(inputs).not.toHaveProperty("instanceType");
    expect(graph.named("aws:ec2/placementGroup:PlacementGroup", "c-web").inputs).toMatchObject({
      strategy: "spread",
    });
    expect(graph.named(GROUP, "c-web-a").inputs).toMatchObject({
      mixedInstancesPolicy: {
        launchTemplate: {
          overrides: [{ instanceRequirements: { vcpuCount: { min: 2, max: 2 } } }],
        },
      },
    });
  });

  it("keeps machines that end for as long as a drain may take, where that is said", async () => {
    const hook = "aws:autoscaling/lifecycleHook:LifecycleHook";
    const { graph } = await make({ drainSeconds: 180 });
    expect(graph.ofType(hook).map(({ name }) => name)).toEqual(["c-web-a-drain", "c-web-b-drain"]);
    expect(graph.named(hook, "c-web-a-drain").inputs).toEqual({
      autoscalingGroupName: "c-web-a-name",
      lifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
      heartbeatTimeout: 180,
      defaultResult: "CONTINUE",
    });
    const plain = (await make()).graph;
    expect(plain.ofType(hook)).toEqual([]);
    expect(plain.named(GROUP, "c-web-a").deleteTimeout).toBe("");
  });

  it("keeps the machines of a removed pool that long too", async () => {
    const { graph } = await make({ drainSeconds: 180, protectFromScaleIn: true });
    const group = graph.named(GROUP, "c-web-a");
    const { deletedWith } = graph.named(
      "aws:autoscaling/lifecycleHook:LifecycleHook",
      "c-web-a-drain",
    );
    expect(deletedWith).toBe(group.urn);
    expect(group.deleteTimeout).toBe("780s");
    expect(group.inputs).toMatchObject({ protectFromScaleIn: true, forceDelete: false });
  });

  it("launches machines with more security groups, and behind load balancers", async () => {
    const targetGroupArn =
      "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/web/0123456789abcdef";
    const { graph } = await make({
      moreSecurityGroupIds: ["sg-0123456789abcdef0"],
      targets: { web: { targetGroupArn } },
    });
    expect(graph.named(TEMPLATE, "c-web").inputs).toMatchObject({
      networkInterfaces: [{ securityGroups: [expect.anything(), "sg-0123456789abcdef0"] }],
    });
    for (const { inputs } of graph.ofType(GROUP)) {
      expect(inputs.targetGroupArns).toEqual([targetGroupArn]);
    }
  });

  it("has a group for each zone, with its part of the sizes", async () => {
    const { value, graph } = await make({ minSize: 3, maxSize: 5, desiredSize: 4 });
    const sizes = graph
      .ofType(GROUP)
      .map(({ name, inputs: { minSize, maxSize, desiredCapacity, vpcZoneIdentifiers } }) => [
        name,
        [minSize, desiredCapacity, maxSize],
        vpcZoneIdentifiers,
      ]);
    expect(sizes).toEqual([
      ["c-web-a", [2, 2, 3], ["subnet-a"]],
      ["c-web-b", [1, 2, 2], ["subnet-b"]],
    ]);
    expect(await valueOf(value.groupNames)).toEqual({ a: "c-web-a-name", b: "c-web-b-name" });
  });

  it("has one group over all zones on request, which doesn't rebalance zones", async () => {
    const { graph } = await make({ groups: "single", clusterAutoscaler: true });
    const { inputs } = graph.named(GROUP, "c-web-all");
    expect(inputs).toMatchObject({
      minSize: 1,
      maxSize: 5,
      vpcZoneIdentifiers: ["subnet-a", "subnet-b"],
      suspendedProcesses: ["AZRebalance"],
    });
    const own = await make({ groups: "single" });
    expect(own.graph.named(GROUP, "c-web-all").inputs).not.toHaveProperty("suspendedProcesses");
  });

  it("replaces machines by a rolling refresh for another template version", async () => {
    const { graph } = await make();
    expect(graph.named(GROUP, "c-web-a").inputs).toMatchObject({
      launchTemplate: { id: "c-web-id", version: "7" },
      instanceRefresh: {
        strategy: "Rolling",
        // Launch first, of a group of one, too; machines that are new already stay.
        preferences: {
          minHealthyPercentage: 100,
          maxHealthyPercentage: 110,
          skipMatching: true,
          instanceWarmup: "120",
        },
      },
    });
    const still = await make({ refresh: "none" });
    expect(still.graph.named(GROUP, "c-web-a").inputs).not.toHaveProperty("instanceRefresh");
  });

  describe("with machines of an older version", () => {
    const GET_INSTANCES = "aws:ec2/getInstances:getInstances";
    const PARAMETER = "aws:ssm/parameter:Parameter";
    type Filters = { name: string; values: string[] }[];
    /** Answers with a machine in each subnet; `old` says which are of the older version. */
    const answer = (old: (isOneGroup: boolean) => readonly string[]) => ({
      calls: {
        [GET_INSTANCES]: ({ filters }: Record<string, unknown>) => {
          const valuesOf = (wanted: string) =>
            (filters as Filters).find(({ name }) => name === wanted)?.values;
          expect(valuesOf("tag:aws:ec2launchtemplate:id")).toEqual(["c-web-id"]);
          const version = valuesOf("tag:aws:ec2launchtemplate:version");
          const subnets = valuesOf("subnet-id") ?? ["subnet-a", "subnet-b"];
          const isOneGroup = valuesOf("subnet-id") !== undefined;
          const current = subnets.filter((subnet) => !old(isOneGroup).includes(subnet));
          const found = version === undefined ? subnets : current;
          return { ids: found.map((id) => `i-${id}`), privateIps: found.map(() => "10.0.0.9") };
        },
      },
    });
    const dependenciesOf = async (
      old: (isOneGroup: boolean) => readonly string[],
      preview = false,
    ) => {
      const { graph } = await build(
        () => {
          const controlPlane = new aws.ssm.Parameter("control-plane", { type: "String" });
          return new AutoScalingWorkerPool("c-web", {
            ...standard,
            refreshDependsOn: [controlPlane],
          });
        },
        { ...answer(old), preview },
      );
      return graph.ofType(GROUP).map((group) => {
        const before = graph.before(group).filter(({ type }) => [GROUP, PARAMETER].includes(type));
        return [group.name, before.map(({ name }) => name)];
      });
    };

    it("replaces zone after zone, after the control plane", async () => {
      // When a group is looked at by itself, AWS is done with it.
      const old = (isOneGroup: boolean) => (isOneGroup ? [] : ["subnet-a", "subnet-b"]);
      expect(await dependenciesOf(old)).toEqual([
        ["c-web-a", ["control-plane"]],
        ["c-web-b", ["control-plane", "c-web-a"]],
      ]);
    });

    it("creates groups at once if all machines are new, and in a preview", async () => {
      const alone = [
        ["c-web-a", []],
        ["c-web-b", []],
      ];
      expect(await dependenciesOf(() => [])).toEqual(alone);
      expect(await dependenciesOf(() => ["subnet-a"], true)).toEqual(alone);
    });
  });

  it("tags machines through the group, so that another tag replaces no machine", async () => {
    const { graph } = await make({ tags: { team: "shop" } });
    const template = graph.named(TEMPLATE, "c-web");
    expect(template.ignoreChanges).toEqual(["tagSpecifications", "tags"]);
    expect(template.inputs.tagSpecifications).toContainEqual({
      resourceType: "instance",
      tags: { Name: "c-web", "kubernetes.io/cluster/prod": "owned" },
    });
    const { inputs } = graph.named(GROUP, "c-web-a");
    expect(inputs.tags).toContainEqual({ key: "team", value: "shop", propagateAtLaunch: true });
    expect(inputs.instanceRefresh).not.toHaveProperty("triggers");
  });

  it("describes future nodes to the autoscaler, and leaves it the number of machines", async () => {
    const { graph } = await make({
      clusterAutoscaler: true,
      labels: { "example.com/tier": "web" },
      taints: { dedicated: "web:NoSchedule", "example.com/gpu": "NoExecute" },
      tags: { team: "shop" },
    });
    const group = graph.named(GROUP, "c-web-a");
    expect(tagsOf(group.inputs)).toEqual({
      Name: "c-web-a",
      team: "shop",
      "kubernetes.io/cluster/prod": "owned",
      "k8s.io/cluster-autoscaler/enabled": "true",
      "k8s.io/cluster-autoscaler/prod": "owned",
      "k8s.io/cluster-autoscaler/node-template/label/example.com/tier": "web",
      "k8s.io/cluster-autoscaler/node-template/taint/dedicated": "web:NoSchedule",
      "k8s.io/cluster-autoscaler/node-template/taint/example.com/gpu": ":NoExecute",
    });
    expect(group.ignoreChanges).toEqual(["desiredCapacity"]);
  });

  it("names the type to the autoscaler in the group, so that it needs no launch template", async () => {
    const { graph } = await make({ clusterAutoscaler: true, instanceType: "m6i.large" });
    const { inputs } = graph.named(GROUP, "c-web-a");
    expect(inputs).not.toHaveProperty("launchTemplate");
    expect(inputs.mixedInstancesPolicy).toMatchObject({
      instancesDistribution: { onDemandPercentageAboveBaseCapacity: 100 },
      launchTemplate: {
        launchTemplateSpecification: { launchTemplateId: "c-web-id", version: "7" },
        overrides: [{ instanceType: "m6i.large" }],
      },
    });
    const requirements = { vcpus: { min: 2 }, memoryGib: { min: 8 } };
    await expect(
      make({ clusterAutoscaler: true, instanceRequirements: requirements }),
    ).rejects.toThrow(/instanceRequirements: the cluster autoscaler .* may not read .* name types/);
  });

  it("keeps the number of machines without an autoscaler", async () => {
    const { graph } = await make({ desiredSize: 2 });
    const group = graph.named(GROUP, "c-web-a");
    expect(group.ignoreChanges).toEqual([]);
    expect(group.inputs.desiredCapacity).toBe(1);
    expect(Object.keys(tagsOf(group.inputs))).toEqual(["Name", "kubernetes.io/cluster/prod"]);
  });

  it("mixes types, and spot with on-demand machines", async () => {
    const { graph } = await make({
      instanceType: "m6i.xlarge",
      moreInstanceTypes: ["m5.xlarge", "m6a.xlarge"],
      onDemandBaseSize: 1,
      onDemandPercentage: 25,
      capacityRebalance: true,
    });
    const { inputs } = graph.named(GROUP, "c-web-a");
    expect(inputs).not.toHaveProperty("launchTemplate");
    expect(inputs).toMatchObject({
      capacityRebalance: true,
      mixedInstancesPolicy: {
        instancesDistribution: {
          onDemandBaseCapacity: 1,
          onDemandPercentageAboveBaseCapacity: 25,
          spotAllocationStrategy: "price-capacity-optimized",
        },
        launchTemplate: {
          launchTemplateSpecification: { launchTemplateId: "c-web-id", version: "7" },
          overrides: [
            { instanceType: "m6i.xlarge" },
            { instanceType: "m5.xlarge" },
            { instanceType: "m6a.xlarge" },
          ],
        },
      },
    });
    expect(graph.named(GROUP, "c-web-b").inputs).toMatchObject({
      mixedInstancesPolicy: { instancesDistribution: { onDemandBaseCapacity: 0 } },
    });
  });

  it("protects machines, and limits their lifetime, on request", async () => {
    const { graph } = await make({
      protect: true,
      protectFromScaleIn: true,
      maxInstanceLifetimeDays: 30,
      healthCheckGraceSeconds: 60,
      publicAddresses: false,
      detailedMonitoring: true,
    });
    const group = graph.named(GROUP, "c-web-a");
    expect(group.protect).toBe(true);
    expect(group.inputs).toMatchObject({
      protectFromScaleIn: true,
      forceDelete: true,
      maxInstanceLifetime: 2_592_000,
      healthCheckGracePeriod: 60,
      instanceRefresh: { preferences: { scaleInProtectedInstances: "Wait" } },
    });
    expect(graph.named(TEMPLATE, "c-web").inputs).toMatchObject({
      networkInterfaces: [{ associatePublicIpAddress: "false" }],
      monitoring: { enabled: true },
    });
  });

  it("reports all problems at once", async () => {
    const refusal = make({
      minSize: 6,
      clusterAutoscaler: true,
      groups: "each" as "single",
      refresh: "none",
      warmupSeconds: 10,
      onDemandBaseSize: 1,
      moreInstanceTypes: ["m7g.large", "t2.large", "m6i.large"],
      maxInstanceLifetimeDays: 0,
      labels: { [`example.com/${"x".repeat(80)}`]: "a" },
      instanceType: "m6i.large",
      rootVolumeSizeGib: 1,
    });
    const { message } = (await refusal.catch((reason: unknown) => reason)) as Error;
    for (const part of [
      /minSize: a pool can't have 6 machines at least and 5 at most/,
      /groups: "each" can't be chosen: take one of perZone, single/,
      /warmupSeconds: no machine is replaced by a refresh/,
      /onDemandBaseSize: it has no effect while every machine is at full price/,
      /moreInstanceTypes\[0\]: "m7g.large" is arm64 and "m6i.large" is amd64/,
      /moreInstanceTypes\[1\]: "t2.large" can't boot Talos/,
      /moreInstanceTypes\[2\]: "m6i.large" is named twice/,
      /maxInstanceLifetimeDays: 0 is not allowed: give a whole number from 1 to 365/,
      /labels\["example.com\/x+"\]: the autoscaler learns it from a tag/,
      /rootVolumeSizeGib: a root volume can't have 1 GiB/,
    ]) {
      expect(message).toMatch(part);
    }
  });

  it.each([
    [{ minSize: 0, maxSize: 0 }, /maxSize: 0 is not allowed/],
    [
      { minHealthyPercentage: 0, maxHealthyPercentage: 110 },
      /maxHealthyPercentage: it can't be 110 with a minHealthyPercentage of 0: AWS allows 100/,
    ],
    [
      { refreshTimeoutSeconds: 1 },
      /refreshTimeoutSeconds: 1 is not allowed: give a whole number from 60/,
    ],
    [{ desiredSize: 9 }, /desiredSize: a pool of 1 to 5 machines can't begin with 9/],
    [{ onDemandPercentage: 101 }, /onDemandPercentage: 101 is not allowed/],
  ])("rejects %j", async (change, reason) => {
    await expect(make(change)).rejects.toThrow(reason);
  });
});
