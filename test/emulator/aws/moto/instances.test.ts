import {
  type _InstanceType,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstanceCreditSpecificationsCommand,
  DescribeInstancesCommand,
  DescribeNetworkInterfacesCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  EC2Client,
  ModifyInstanceAttributeCommand,
  ModifyPrivateDnsNameOptionsCommand,
  MonitorInstancesCommand,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
  UnmonitorInstancesCommand,
} from "@aws-sdk/client-ec2";
import { talosImages } from "../../../../emulator/aws/amis";
import { REGION, startSubstituteWorld, type SubstituteWorld } from "../plugin/substituteWorld";

const ImageId = talosImages().find(({ name }) => name === `talos-v1.12.1-${REGION}-amd64`)?.ami_id;
const MOST_USER_DATA = 16_384;

describe("machines of the emulated EC2", () => {
  let world: SubstituteWorld;
  let ec2: EC2Client;
  let vpcId: string;
  let subnetId: string;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    ec2 = new EC2Client(world.clientSettings);
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: "10.0.0.0/16" }));
    vpcId = Vpc?.VpcId ?? "";
    subnetId = await makeSubnet("10.0.0.0/24");
  });

  afterAll(async () => {
    ec2.destroy();
    await world.close();
  });

  async function makeSubnet(CidrBlock: string, zone = `${REGION}a`): Promise<string> {
    const request = { VpcId: vpcId, CidrBlock, AvailabilityZone: zone };
    const { Subnet } = await ec2.send(new CreateSubnetCommand(request));
    return Subnet?.SubnetId ?? "";
  }

  async function run(more: Partial<RunInstancesCommandInput> = {}, count = 1): Promise<string[]> {
    const { Instances } = await ec2.send(
      new RunInstancesCommand({
        ImageId,
        InstanceType: "m6i.large",
        MinCount: count,
        MaxCount: count,
        ...(more.NetworkInterfaces === undefined && { SubnetId: subnetId }),
        ...more,
      }),
    );
    return (Instances ?? []).map(({ InstanceId }) => InstanceId ?? "");
  }

  async function describeOne(id: string | undefined) {
    const { Reservations } = await ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [id ?? ""] }),
    );
    return Reservations?.[0]?.Instances?.[0];
  }

  it("names a machine by its own setting, otherwise by its subnet's", async () => {
    const byDefault = {
      HostnameType: "ip-name",
      EnableResourceNameDnsARecord: false,
      EnableResourceNameDnsAAAARecord: false,
    } as const;
    const [plain] = await run();
    expect((await describeOne(plain))?.PrivateDnsNameOptions).toEqual(byDefault);
    const wanted = { HostnameType: "resource-name", EnableResourceNameDnsARecord: true } as const;
    const [named] = await run({ PrivateDnsNameOptions: wanted });
    expect((await describeOne(named))?.PrivateDnsNameOptions).toEqual({ ...byDefault, ...wanted });
    await ec2.send(
      new ModifyPrivateDnsNameOptionsCommand({
        InstanceId: named,
        EnableResourceNameDnsARecord: false,
      }),
    );
    expect((await describeOne(named))?.PrivateDnsNameOptions).toEqual({
      ...byDefault,
      HostnameType: "resource-name",
    });
  });

  it("shows the association of an interface only if it has one", async () => {
    const interfaceOf = (AssociatePublicIpAddress: boolean) => ({
      NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: subnetId, AssociatePublicIpAddress }],
    });
    const [own] = await run(interfaceOf(false));
    const [open] = await run(interfaceOf(true));
    const associationOf = async (id: string | undefined) =>
      (await describeOne(id))?.NetworkInterfaces?.[0]?.Association;
    expect(await associationOf(own)).toBeUndefined();
    expect((await associationOf(open))?.PublicIp).toMatch(/^127\./);
    const { NetworkInterfaces } = await ec2.send(
      new DescribeNetworkInterfacesCommand({
        Filters: [{ Name: "attachment.instance-id", Values: [own ?? ""] }],
      }),
    );
    expect(NetworkInterfaces?.map(({ Association }) => Association)).toEqual([undefined]);
  });

  it("takes the public address of a machine that stops, and gives it another one later", async () => {
    const [id = ""] = await run({
      NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: subnetId, AssociatePublicIpAddress: true }],
    });
    const before = await describeOne(id);
    await ec2.send(new StopInstancesCommand({ InstanceIds: [id] }));
    const stopped = await describeOne(id);
    expect(stopped?.State?.Name).toBe("stopped");
    expect(stopped?.PublicIpAddress).toBeUndefined();
    expect(stopped?.PublicDnsName ?? "").toBe("");
    expect(stopped?.NetworkInterfaces?.[0]?.Association).toBeUndefined();
    expect(stopped?.PrivateIpAddress).toBe(before?.PrivateIpAddress);
    expect(stopped?.PrivateDnsName).toBe(before?.PrivateDnsName);
    await ec2.send(new StartInstancesCommand({ InstanceIds: [id] }));
    const started = await describeOne(id);
    expect(started?.PublicIpAddress).toMatch(/^127\./);
    expect(started?.PublicIpAddress).not.toBe(before?.PublicIpAddress);
    expect(started?.PrivateIpAddress).toBe(before?.PrivateIpAddress);
  });

  it("refuses to terminate a machine that was created with termination protection", async () => {
    const [id = ""] = await run({ DisableApiTermination: true });
    const terminate = () => ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await expect(terminate()).rejects.toMatchObject({ name: "OperationNotPermitted" });
    const { DisableApiTermination } = await ec2.send(
      new DescribeInstanceAttributeCommand({ InstanceId: id, Attribute: "disableApiTermination" }),
    );
    expect(DisableApiTermination?.Value).toBe(true);
    await ec2.send(
      new ModifyInstanceAttributeCommand({
        InstanceId: id,
        DisableApiTermination: { Value: false },
      }),
    );
    await terminate();
  });

  it("supports detailed monitoring", async () => {
    const [id = ""] = await run();
    const { InstanceMonitorings } = await ec2.send(
      new MonitorInstancesCommand({ InstanceIds: [id] }),
    );
    expect(InstanceMonitorings).toEqual([{ InstanceId: id, Monitoring: { State: "enabled" } }]);
    expect((await describeOne(id))?.Monitoring?.State).toBe("enabled");
    await ec2.send(new UnmonitorInstancesCommand({ InstanceIds: [id] }));
    expect((await describeOne(id))?.Monitoring?.State).toBe("disabled");
  });

  it("accepts at most 16 KiB of user data", async () => {
    const userData = (bytes: number) => Buffer.alloc(bytes, "a").toString("base64");
    const [id = ""] = await run({ UserData: userData(MOST_USER_DATA) });
    const refusal = {
      name: "InvalidParameterValue",
      message: "User data is limited to 16384 bytes",
    };
    await expect(run({ UserData: userData(MOST_USER_DATA + 1) })).rejects.toMatchObject(refusal);
    const change = (bytes: number) =>
      ec2.send(
        new ModifyInstanceAttributeCommand({
          InstanceId: id,
          UserData: { Value: Buffer.alloc(bytes, "b") },
        }),
      );
    await change(MOST_USER_DATA);
    await expect(change(MOST_USER_DATA + 1)).rejects.toMatchObject(refusal);
  });

  it("runs only as many machines in a subnet as it has free addresses", async () => {
    const SubnetId = await makeSubnet("10.0.1.0/28");
    const free = async () => {
      const { Subnets } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [SubnetId] }));
      return Subnets?.[0]?.AvailableIpAddressCount;
    };
    expect(await free()).toBe(11);
    const refusal = { name: "InsufficientFreeAddressesInSubnet" };
    await expect(run({ SubnetId }, 12)).rejects.toMatchObject(refusal);
    expect(await free()).toBe(11);
    const ids = await run({ SubnetId }, 11);
    expect(await free()).toBe(0);
    await expect(run({ SubnetId })).rejects.toMatchObject(refusal);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: ids.slice(0, 1) }));
    expect(await free()).toBe(1);
    await run({ SubnetId });
    expect(await free()).toBe(0);
  });

  it("gives a machine the image's root volume beside the requested ones", async () => {
    const Ebs = { VolumeType: "gp3", VolumeSize: 40, Iops: 4000, Throughput: 200 } as const;
    const [id] = await run({ BlockDeviceMappings: [{ DeviceName: "/dev/sdf", Ebs }] });
    const live = await describeOne(id);
    expect(live?.RootDeviceName).toBe("/dev/xvda");
    expect(live?.BlockDeviceMappings?.map(({ DeviceName }) => DeviceName)).toEqual([
      "/dev/xvda",
      "/dev/sdf",
    ]);
    const { Volumes } = await ec2.send(
      new DescribeVolumesCommand({
        VolumeIds: [live?.BlockDeviceMappings?.[1]?.Ebs?.VolumeId ?? ""],
      }),
    );
    expect(Volumes?.[0]).toMatchObject({
      VolumeType: "gp3",
      Size: 40,
      Iops: 4000,
      Throughput: 200,
    });
  });

  it("runs types that exist, in the zones that have them", async () => {
    const InstanceType = "t3.lareg" as _InstanceType;
    await expect(run({ InstanceType })).rejects.toMatchObject({
      name: "InvalidParameterValue",
      message: "Invalid value 't3.lareg' for InstanceType.",
    });
    const SubnetId = await makeSubnet("10.0.5.0/24", `${REGION}e`);
    await expect(run({ InstanceType: "m7g.large", SubnetId })).rejects.toMatchObject({
      name: "Unsupported",
      message: expect.stringMatching(
        /instance type \(m7g\.large\) is not supported in your requested Availability Zone \(us-east-1e\).* choosing us-east-1a, /,
      ) as string,
    });
    const [id] = await run();
    const change = { InstanceId: id, InstanceType: { Value: InstanceType } };
    await expect(ec2.send(new ModifyInstanceAttributeCommand(change))).rejects.toMatchObject({
      name: "InvalidParameterValue",
      message: "The following supplied instance types do not exist: [t3.lareg]",
    });
  });

  it("gives burstable machines the credits of their family, or those that they are told", async () => {
    const CreditSpecification = { CpuCredits: "standard" };
    const InstanceType = "t3.large";
    const creditsOf = async (id = "") => {
      const command = new DescribeInstanceCreditSpecificationsCommand({ InstanceIds: [id] });
      return (await ec2.send(command)).InstanceCreditSpecifications?.[0]?.CpuCredits;
    };
    const [byDefault] = await run({ InstanceType });
    const [told] = await run({ InstanceType, CreditSpecification });
    const [old] = await run({ InstanceType: "t2.large" });
    expect(await creditsOf(byDefault)).toBe("unlimited");
    expect(await creditsOf(told)).toBe("standard");
    expect(await creditsOf(old)).toBe("standard");
    const refusal = {
      name: "InstanceCreditSpecification.NotSupported",
      message: "The m6i.large instance type does not support T2 Unlimited.",
    };
    await expect(run({ CreditSpecification })).rejects.toMatchObject(refusal);
    const [steady] = await run();
    await expect(creditsOf(steady)).rejects.toMatchObject(refusal);
  });
});
