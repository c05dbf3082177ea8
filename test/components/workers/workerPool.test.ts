import { WorkerPool } from "../../../components/workers/workerPool";
import type { WorkerPoolArgs } from "../../../components/workers/workerPoolArgs";
import { MachineSecrets } from "../../../provider";
import { build, valueOf } from "../mockedGraph";

const INSTANCE = "aws:ec2/instance:Instance";
const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const APPLY = "pulumi-nodejs:dynamic/talos:ConfigurationApply";
const standard: WorkerPoolArgs = {
  clusterName: "prod",
  subnets: { a: { id: "subnet-a" }, b: { id: "subnet-b" } },
  imageId: "ami-1",
  securityGroupId: "sg-workers",
  instanceProfileName: "profile",
  machineConfiguration: "machine: {}\n",
  credentials: { ca: "ca", crt: "crt", key: "key" },
  endpoint: "203.0.113.1",
  machineCount: 3,
};
const make = (change: Partial<WorkerPoolArgs> = {}) =>
  build(() => new WorkerPool("c-apps", { ...standard, ...change }));

describe("WorkerPool", () => {
  it("creates machines over the zones, each with its configuration as user data", async () => {
    const { value, graph } = await make();
    expect(graph.ofType(INSTANCE).map(({ name, inputs }) => [name, inputs.subnetId])).toEqual([
      ["c-apps-1", "subnet-a"],
      ["c-apps-2", "subnet-b"],
      ["c-apps-3", "subnet-a"],
    ]);
    const { inputs, secretInputs } = graph.named(INSTANCE, "c-apps-1");
    expect(inputs).toMatchObject({
      instanceType: "m6i.large",
      vpcSecurityGroupIds: ["sg-workers"],
      iamInstanceProfile: "profile",
      associatePublicIpAddress: true,
      userDataBase64: Buffer.from("machine: {}\n").toString("base64"),
      // Pods read no user data, with which machines join.
      metadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 1 },
      rootBlockDevice: { encrypted: true, volumeSize: 50 },
    });
    expect(secretInputs).toContain("userDataBase64");
    expect(value.machines["2"] && (await valueOf(value.machines["2"].privateAddress))).toBe(
      "10.0.0.2",
    );
  });

  it("places its machines, and replaces one by a word", async () => {
    const { graph } = await make({
      machineCount: 2,
      placementGroup: { strategy: "partition", partitions: 2 },
      capacityReservation: {
        resourceGroupArn: "arn:aws:resource-groups:us-east-1:123456789012:group/a",
      },
      machines: { "2": { replacement: "broken disk" } },
    });
    const first = graph.named(INSTANCE, "c-apps-1");
    expect(first.inputs).toMatchObject({
      placementGroup: "c-apps-name",
      capacityReservationSpecification: { capacityReservationTarget: {} },
    });
    expect(first.ignoreChanges).toContain("capacityReservationSpecification");
    expect(first.replacementTrigger).toBe("public address");
    expect(graph.named(INSTANCE, "c-apps-2").replacementTrigger).toBe(
      "public address; broken disk",
    );
    const usual = (await make()).graph.named(INSTANCE, "c-apps-1");
    expect(usual.inputs.placementGroup).toBe("");
    expect(usual.ignoreChanges).not.toContain("capacityReservationSpecification");
  });

  it("puts machines into more security groups and behind load balancers on request", async () => {
    const targetGroupArn =
      "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/web/0123456789abcdef";
    const moreSecurityGroupIds = ["sg-0123456789abcdef0"];
    const targets = { web: { targetGroupArn, port: 30_080 }, tls: { targetGroupArn } };
    const { graph } = await make({ moreSecurityGroupIds, targets, machineCount: 2 });
    expect(graph.named(INSTANCE, "c-apps-2").inputs.vpcSecurityGroupIds).toEqual([
      "sg-workers",
      "sg-0123456789abcdef0",
    ]);
    const attachments = graph.ofType("aws:lb/targetGroupAttachment:TargetGroupAttachment");
    expect(attachments.map(({ name, inputs }) => [name, inputs]).sort()).toEqual([
      ["c-apps-1-tls", { targetGroupArn, targetId: "c-apps-1-id" }],
      ["c-apps-1-web", { targetGroupArn, port: 30_080, targetId: "c-apps-1-id" }],
      ["c-apps-2-tls", { targetGroupArn, targetId: "c-apps-2-id" }],
      ["c-apps-2-web", { targetGroupArn, port: 30_080, targetId: "c-apps-2-id" }],
    ]);
  });

  it("rejects security groups and target groups that AWS would reject, all at once", async () => {
    const wrong = make({
      moreSecurityGroupIds: ["web", ...Array<string>(4).fill("sg-0123456789abcdef0")],
      targets: { Web: { targetGroupArn: "web", port: 0 } },
    });
    for (const reason of [
      /moreSecurityGroupIds: 5 groups are too many: AWS allows 5/,
      /moreSecurityGroupIds\[0\]: "web" is no id of a security group/,
      /targets\["Web"\]: "Web" is no name/,
      /targets\["Web"\].targetGroupArn: "web" is no ARN of a target group/,
      /targets\["Web"\].port: 0 is not allowed/,
    ]) {
      await expect(wrong).rejects.toThrow(reason);
    }
  });

  it("applies later configurations through a control plane, only with certificates", async () => {
    const { graph } = await make();
    expect(graph.named(APPLY, "c-apps-2").inputs).toMatchObject({
      machineId: "c-apps-2-id",
      node: "10.0.0.2",
      endpoint: "203.0.113.1",
      delivery: "userData",
    });
    // One that is made again boots with today's; one that runs is left alone.
    expect(graph.named(INSTANCE, "c-apps-2").ignoreChanges).toEqual(
      expect.arrayContaining(["userDataBase64", "ami", "subnetId"]),
    );
  });

  it("makes machines wait for their configuration on request", async () => {
    const { endpoint, ...direct } = standard;
    const { graph } = await build(
      () => new WorkerPool("c-apps", { ...direct, delivery: "apply", machineCount: 1 }),
    );
    const { inputs } = graph.named(INSTANCE, "c-apps-1");
    expect(inputs).not.toHaveProperty("userDataBase64");
    expect(inputs).toMatchObject({ metadataOptions: { httpPutResponseHopLimit: 1 } });
    expect(graph.named(APPLY, "c-apps-1").inputs).toMatchObject({
      node: "198.51.100.1",
      endpoint: "198.51.100.1",
      delivery: "apply",
    });
    const contact = graph.named("pulumi-nodejs:dynamic/talos:FirstContact", "c-apps-1");
    expect(contact.inputs).toMatchObject({ machineId: "c-apps-1-id", node: "198.51.100.1" });
    expect(contact.secretInputs).toContain("console");
    expect(graph.named(APPLY, "c-apps-1").secretInputs).toContain("console");
    expect(graph.before(graph.named(APPLY, "c-apps-1"))).toContain(contact);
    expect(endpoint).toBe("203.0.113.1");
  });

  it("drains nodes through the control plane, and not when the whole cluster is destroyed", async () => {
    const { graph } = await build(() => {
      const secrets = new MachineSecrets("c-secrets", { versionContract: "v1.12" });
      const drain = { controlPlanes: ["203.0.113.1"], timeoutSeconds: 60 };
      return new WorkerPool("c-apps", { ...standard, drain, deletedWith: secrets });
    });
    const { inputs, deletedWith } = graph.named(APPLY, "c-apps-1");
    expect(inputs.drain).toEqual({
      controlPlanes: ["203.0.113.1"],
      timeoutSeconds: 60,
      removeNode: true,
    });
    expect(deletedWith).toContain("c-secrets");
  });

  it("changes machines one after another, or maxUnavailable at a time", async () => {
    const waitsFor = async (change: Partial<WorkerPoolArgs>) => {
      const { graph } = await make({ machineCount: 4, ...change });
      return ["1", "2", "3", "4"].map((key) =>
        graph
          .before(graph.named(APPLY, `c-apps-${key}`))
          .filter(({ type }) => type === APPLY)
          .map(({ name }) => name.replace("c-apps-", ""))
          .sort()
          .join(),
      );
    };
    expect(await waitsFor({})).toEqual(["", "1", "1,2", "1,2,3"]);
    expect(await waitsFor({ maxUnavailable: 2 })).toEqual(["", "", "1,2", "1,2"]);
    expect(await waitsFor({ maxUnavailable: "75%" })).toEqual(["", "", "", "1,2,3"]);
    expect(await waitsFor({ maxUnavailable: "100%" })).toEqual(["", "", "", ""]);
    for (const maxUnavailable of [0, 1.5, "0%", "101%", "two%"] as never[]) {
      await expect(make({ maxUnavailable })).rejects.toThrow();
    }
  });

  it("keeps every machine when others are added or removed", async () => {
    const two = await make({ machineCount: 2 });
    const four = await make({ machineCount: 4 });
    const machines = two.graph.resources.filter(({ name }) => name !== "c-apps");
    for (const { type, name, inputs } of machines) {
      expect(four.graph.named(type, name).inputs).toEqual(inputs);
    }
    const none = await make({ machineCount: 0 });
    expect(none.graph.identities()).toEqual(["talos-aws:index:WorkerPool c-apps"]);
  });

  it("puts a machine in its given zone", async () => {
    const { graph } = await make({ machines: { "3": { zone: "b" } } });
    expect(graph.named(INSTANCE, "c-apps-3").inputs.subnetId).toBe("subnet-b");
    expect(graph.named(INSTANCE, "c-apps-3").ignoreChanges).not.toContain("subnetId");
  });

  it("allows only machines with public addresses to reach a public API", async () => {
    const { graph } = await make({ publicApiGroupId: "sg-lb" });
    expect(graph.named(INGRESS, "c-apps-2-to-api").inputs).toMatchObject({
      securityGroupId: "sg-lb",
      cidrIpv4: "198.51.100.2/32",
      fromPort: 6443,
    });
    expect(graph.before(graph.named(APPLY, "c-apps-2"))).toContain(
      graph.named(INGRESS, "c-apps-2-to-api"),
    );
    const hidden = await make({ publicApiGroupId: "sg-lb", publicAddresses: false });
    expect(hidden.graph.ofType(INGRESS)).toEqual([]);
    expect(hidden.graph.named(INSTANCE, "c-apps-1").inputs.associatePublicIpAddress).toBe(false);
  });

  it("protects and monitors machines on request", async () => {
    const { graph } = await make({
      terminationProtection: true,
      protect: true,
      detailedMonitoring: true,
      metadataHopLimit: 2,
    });
    const machine = graph.named(INSTANCE, "c-apps-1");
    expect(machine.protect).toBe(true);
    expect(machine.inputs).toMatchObject({
      disableApiTermination: true,
      monitoring: true,
      metadataOptions: { httpPutResponseHopLimit: 2 },
    });
  });

  it("reports all problems at once", async () => {
    const refusal = make({
      machineCount: -1,
      instanceType: "t2.large",
      metadataHopLimit: 0,
      rootVolumeSizeGib: 8,
      delivery: "post" as "apply",
    });
    const { message } = (await refusal.catch((reason: unknown) => reason)) as Error;
    expect(message).toMatch(/machineCount: a pool can't have -1 machines/);
    expect(message).toMatch(/instanceType: "t2.large" can't boot Talos/);
    expect(message).toMatch(/metadataHopLimit: it can't be 0/);
    expect(message).toMatch(/rootVolumeSizeGib: a root volume can't have 8 GiB/);
    expect(message).toMatch(/delivery: "post" can't be chosen: take one of apply, userData/);
  });

  it("rejects unknown machines and zones", async () => {
    const refusal = make({ machines: { "4": {}, "1": { zone: "z" } } });
    const { message } = (await refusal.catch((reason: unknown) => reason)) as Error;
    expect(message).toMatch(/machines\["4"\]: there is no machine "4"/);
    expect(message).toMatch(/machines\["1"\].zone: the network has no zone "z"/);
  });
});
