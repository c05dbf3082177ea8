import { ControlPlane } from "../../../components/controlPlane/controlPlane";
import type { ControlPlaneArgs } from "../../../components/controlPlane/controlPlaneArgs";
import { build, valueOf } from "../mockedGraph";

const INSTANCE = "aws:ec2/instance:Instance";
const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const ATTACHMENT = "aws:lb/targetGroupAttachment:TargetGroupAttachment";
const internal: ControlPlaneArgs = {
  clusterName: "prod",
  subnets: { "us-east-1a": { id: "subnet-a" }, "us-east-1b": { id: "subnet-b" } },
  imageId: "ami-1",
  securityGroupId: "sg-machines",
  instanceProfileName: "profile",
  targets: { api: { targetGroupArn: "arn:targets", port: 6443 } },
};
const standard: ControlPlaneArgs = { ...internal, publicApiGroupId: "sg-lb" };
const make = (change: Partial<ControlPlaneArgs> = {}) =>
  build(() => new ControlPlane("cp", { ...standard, ...change }));

describe("ControlPlane", () => {
  it("creates three machines over the zones by default", async () => {
    const { value, graph } = await make();
    expect(graph.ofType(INSTANCE).map(({ name, inputs }) => [name, inputs.subnetId])).toEqual([
      ["cp-1", "subnet-a"],
      ["cp-2", "subnet-b"],
      ["cp-3", "subnet-a"],
    ]);
    const second = value.machines["2"];
    expect(second?.name).toBe("cp-2");
    expect(second && (await valueOf(second.instanceId))).toBe("cp-2-id");
    expect(second && (await valueOf(second.publicAddress))).toBe("198.51.100.2");
  });

  it("creates hardened machines", async () => {
    const { graph } = await make();
    for (const { inputs } of graph.ofType(INSTANCE)) {
      expect(inputs).toMatchObject({
        metadataOptions: {
          httpTokens: "required",
          httpPutResponseHopLimit: 1,
          instanceMetadataTags: "disabled",
        },
        rootBlockDevice: { encrypted: true, volumeType: "gp3", volumeSize: 50 },
        vpcSecurityGroupIds: ["sg-machines"],
        iamInstanceProfile: "profile",
      });
      expect(inputs).not.toHaveProperty("keyName");
      expect(inputs).not.toHaveProperty("userData");
    }
  });

  it("gives machines names that don't depend on a default, and the cluster's tag", async () => {
    const { graph } = await make();
    expect(graph.named(INSTANCE, "cp-1").inputs).toMatchObject({
      privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: false },
      tags: { Name: "cp-1", "kubernetes.io/cluster/prod": "owned" },
    });
  });

  it("never replaces a machine because of a new image or another spread", async () => {
    const { graph } = await make({ machines: { "3": { zone: "us-east-1b" } } });
    expect(graph.named(INSTANCE, "cp-1").ignoreChanges).toContain("subnetId");
    // This one was told where to be, so it goes where it is told.
    expect(graph.named(INSTANCE, "cp-3").ignoreChanges).not.toContain("subnetId");
    expect(graph.named(INSTANCE, "cp-3").inputs.subnetId).toBe("subnet-b");
  });

  it("does not change existing machines when two are added", async () => {
    const three = await make();
    const five = await make({ machineCount: 5 });
    for (const { type, name, inputs } of three.graph.resources) {
      expect(five.graph.named(type, name).inputs).toEqual(inputs);
    }
    expect(five.graph.ofType(INSTANCE)).toHaveLength(5);
  });

  it("registers each machine with the load balancer and allows the load balancer's traffic", async () => {
    const { graph } = await make();
    expect(graph.named(ATTACHMENT, "cp-2-api").inputs).toEqual({
      targetGroupArn: "arn:targets",
      targetId: "cp-2-id",
      port: 6443,
    });
    expect(graph.named(INGRESS, "cp-2-to-api").inputs).toMatchObject({
      securityGroupId: "sg-lb",
      cidrIpv4: "198.51.100.2/32",
      ipProtocol: "tcp",
      fromPort: 6443,
      toPort: 6443,
    });
  });

  it("registers each machine with every load balancer", async () => {
    const targets = {
      "internal-api": { targetGroupArn: "arn:internal", port: 6443 },
      "internal-talos": { targetGroupArn: "arn:talos", port: 50000 },
    };
    const { value, graph } = await make({ targets });
    const attached = graph.ofType(ATTACHMENT).filter(({ name }) => name.startsWith("cp-1-"));
    expect(attached.map(({ name, inputs }) => [name, inputs.targetGroupArn, inputs.port])).toEqual([
      ["cp-1-internal-api", "arn:internal", 6443],
      ["cp-1-internal-talos", "arn:talos", 50000],
    ]);
    expect(value.machines["1"]?.reachability).toHaveLength(3);
  });

  it("allows no public address to reach an internal load balancer", async () => {
    const { graph } = await build(() => new ControlPlane("cp", internal));
    expect(graph.ofType(INGRESS)).toEqual([]);
  });

  it("protects machines from termination on request", async () => {
    const { graph } = await make({ terminationProtection: true, rootVolumeSizeGib: 100 });
    // Pulumi refuses in the preview what EC2 would refuse at the end of a run.
    expect(graph.named(INSTANCE, "cp-1").protect).toBe(true);
    expect((await make({})).graph.named(INSTANCE, "cp-1").protect).toBe(false);
    expect(graph.named(INSTANCE, "cp-1").inputs).toMatchObject({
      disableApiTermination: true,
      rootBlockDevice: { volumeSize: 100 },
    });
  });

  it("reports all problems at once", async () => {
    const change = {
      machineCount: 2,
      instanceType: "t2.medium",
      rootVolumeSizeGib: 8,
      machines: { "9": { zone: "us-east-1z" } },
    };
    const error: unknown = await make(change).catch((reason: unknown) => reason);
    const { message } = error as Error;
    expect(message).toMatch(/machineCount: 2 control plane machines .* majority/);
    expect(message).toMatch(/machines\["9"\]: there is no machine "9"/);
    expect(message).toMatch(/machines\["9"\].zone: the network has no zone "us-east-1z"/);
    expect(message).toMatch(/instanceType: "t2.medium" can't boot Talos/);
    expect(message).toMatch(/rootVolumeSizeGib: a root volume can't have 8 GiB/);
  });
});
