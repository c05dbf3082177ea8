import { type MachineArgs, makeMachine } from "../../../components/machines/makeMachine";
import { build } from "../mockedGraph";

const INSTANCE = "aws:ec2/instance:Instance";
const standard: MachineArgs = {
  clusterName: "prod",
  imageId: "ami-1",
  instanceType: "m6i.large",
  subnetId: "subnet-a",
  securityGroupIds: ["sg-1"],
};
const make = async (change: Partial<MachineArgs> = {}) => {
  const { graph } = await build(() => makeMachine("m", { ...standard, ...change }, {}));
  return graph.named(INSTANCE, "m");
};

describe("makeMachine", () => {
  it("creates a hardened machine without an SSH key or user data", async () => {
    const { inputs, ignoreChanges } = await make();
    expect(inputs).toEqual({
      ami: "ami-1",
      instanceType: "m6i.large",
      subnetId: "subnet-a",
      vpcSecurityGroupIds: ["sg-1"],
      iamInstanceProfile: "",
      associatePublicIpAddress: true,
      ebsOptimized: true,
      monitoring: false,
      placementGroup: "",
      disableApiTermination: false,
      metadataOptions: {
        httpEndpoint: "enabled",
        httpTokens: "required",
        httpPutResponseHopLimit: 1,
        instanceMetadataTags: "disabled",
      },
      privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: false },
      rootBlockDevice: {
        volumeType: "gp3",
        iops: 3000,
        throughput: 125,
        volumeSize: 50,
        encrypted: true,
        deleteOnTermination: true,
        tags: { Name: "m", "kubernetes.io/cluster/prod": "owned" },
      },
      tags: { Name: "m", "kubernetes.io/cluster/prod": "owned" },
    });
    expect(ignoreChanges).toEqual(["ami", "associatePublicIpAddress", "ebsBlockDevices"]);
  });

  it("keeps user data secret, and never restarts a machine because it changes", async () => {
    const { inputs, secretInputs, ignoreChanges } = await make({ userDataBase64: "H4sI" });
    expect(inputs.userDataBase64).toBe("H4sI");
    expect(secretInputs).toEqual(["userDataBase64"]);
    expect(ignoreChanges).toEqual([
      "ami",
      "associatePublicIpAddress",
      "userDataBase64",
      "ebsBlockDevices",
    ]);
  });

  it("passes on all other options", async () => {
    const { inputs, ignoreChanges } = await make({
      publicAddress: false,
      instanceProfileName: "profile",
      metadataHopLimit: 2,
      rootVolumeSizeGib: 100,
      detailedMonitoring: true,
      terminationProtection: true,
      staysInSubnet: true,
      tags: { team: "a" },
    });
    expect(inputs).toMatchObject({
      associatePublicIpAddress: false,
      iamInstanceProfile: "profile",
      metadataOptions: { httpPutResponseHopLimit: 2 },
      rootBlockDevice: { volumeSize: 100, tags: { team: "a" } },
      monitoring: true,
      disableApiTermination: true,
      tags: { Name: "m", team: "a" },
    });
    expect(ignoreChanges).toEqual([
      "ami",
      "associatePublicIpAddress",
      "subnetId",
      "ebsBlockDevices",
    ]);
  });

  it("replaces a machine if the public address option changes, not if AWS removed the address", async () => {
    const open = await make();
    const hidden = await make({ publicAddress: false });
    expect(open.ignoreChanges).toContain("associatePublicIpAddress");
    expect(hidden.ignoreChanges).toContain("associatePublicIpAddress");
    expect([open.replacementTrigger, hidden.replacementTrigger]).toEqual([
      "public address",
      "no public address",
    ]);
  });

  it("encrypts volumes with the given key, and ignores a later change of the key", async () => {
    const kmsKeyId = "arn:aws:kms:us-east-1:123456789012:key/0123abcd";
    const { inputs, ignoreChanges } = await make({ kmsKeyId, etcdVolume: { sizeGib: 20 } });
    expect(inputs).toMatchObject({
      rootBlockDevice: { encrypted: true, kmsKeyId },
      ebsBlockDevices: [{ encrypted: true, kmsKeyId }],
    });
    expect(ignoreChanges).toEqual(
      expect.arrayContaining(["rootBlockDevice.kmsKeyId", "ebsBlockDevices"]),
    );
  });

  it("is told of CPU credits only if they are chosen", async () => {
    const { inputs } = await make({ instanceType: "t3.large", cpuCredits: "standard" });
    expect(inputs.creditSpecification).toEqual({ cpuCredits: "standard" });
    expect((await make({ instanceType: "t3.large" })).inputs).not.toHaveProperty(
      "creditSpecification",
    );
  });

  it("has data volumes beside etcd's, each with its given performance", async () => {
    const { inputs } = await make({
      rootVolume: { type: "io2", iops: 1_000 },
      etcdVolume: { sizeGib: 20 },
      dataVolumes: { logs: { sizeGib: 125, type: "st1" }, data: { sizeGib: 8, iops: 4_000 } },
    });
    const common = { encrypted: true, deleteOnTermination: true, tags: inputs.tags };
    expect(inputs.rootBlockDevice).toEqual({
      ...common,
      volumeType: "io2",
      iops: 1_000,
      volumeSize: 50,
    });
    expect(inputs.ebsBlockDevices).toEqual([
      {
        ...common,
        deviceName: "/dev/sdf",
        volumeType: "gp3",
        volumeSize: 20,
        iops: 3_000,
        throughput: 125,
      },
      { ...common, deviceName: "/dev/sdg", volumeType: "gp3", volumeSize: 8, iops: 4_000 },
      { ...common, deviceName: "/dev/sdh", volumeType: "st1", volumeSize: 125 },
    ]);
  });
});
