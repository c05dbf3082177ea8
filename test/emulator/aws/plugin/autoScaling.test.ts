import {
  DescribeScalingActivitiesCommand,
  SetDesiredCapacityCommand,
} from "@aws-sdk/client-auto-scaling";
import {
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  TerminateInstancesCommand,
  StopInstancesCommand,
} from "@aws-sdk/client-ec2";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { UNKNOWN } from "../../../../provider/base/unknown";
import { eventually } from "../../support/eventually";
import {
  AutoScalingWorld,
  GROUP,
  imageOf,
  TEMPLATE,
  userData,
  versionOf,
} from "./autoScalingWorld";
import { ec2 as ec2Type, REGION } from "./substituteWorld";

describe("auto scaling on the emulated cloud", () => {
  let cloud: AutoScalingWorld;

  beforeAll(async () => {
    cloud = await AutoScalingWorld.start();
  });

  afterAll(() => cloud.close());

  it("keeps every version of a launch template", async () => {
    const rich: Values = cloud.content({
      name: "rich",
      description: "first",
      ebsOptimized: "true",
      disableApiTermination: true,
      blockDeviceMappings: [
        {
          deviceName: "/dev/xvda",
          ebs: {
            volumeSize: 50,
            volumeType: "gp3",
            encrypted: "true",
            deleteOnTermination: "true",
          },
        },
      ],
      iamInstanceProfile: { name: cloud.profile },
      instanceMarketOptions: { marketType: "spot", spotOptions: { maxPrice: "0.1" } },
      metadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 1 },
      monitoring: { enabled: true },
      networkInterfaces: [
        {
          deviceIndex: 0,
          associatePublicIpAddress: "false",
          securityGroups: [cloud.securityGroup],
        },
      ],
      privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: false },
      tagSpecifications: [{ resourceType: "instance", tags: { Name: "worker" } }],
      updateDefaultVersion: true,
      tags: { Name: "rich" },
    });
    const made = await cloud.world.make(TEMPLATE, rich);
    expect(made.state).toMatchObject({ latestVersion: 1, defaultVersion: 1 });
    const edited = { ...rich, userData: userData("two") };
    const preview = await cloud.world.substitute.update(
      TEMPLATE,
      made.id,
      made,
      { ...made.inputs, ...edited },
      { preview: true },
    );
    expect(preview.state).toMatchObject({ latestVersion: UNKNOWN, defaultVersion: UNKNOWN });
    const second = await cloud.world.change(TEMPLATE, made, edited);
    expect(second.state).toMatchObject({ latestVersion: 2, defaultVersion: 2 });
    const third = await cloud.world.change(TEMPLATE, second, {
      ...edited,
      tags: { Name: "other" },
    });
    expect(third.state).toMatchObject({ latestVersion: 2, tagsAll: { Name: "other" } });
    await cloud.world.remove(TEMPLATE, third);
  });

  it("launches the template's version, spread over zones, with the group's tags", async () => {
    const made = await cloud.template({
      vpcSecurityGroupIds: [cloud.securityGroup],
      iamInstanceProfile: { name: cloud.profile },
      metadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 1 },
      monitoring: { enabled: true },
      blockDeviceMappings: [
        {
          deviceName: "/dev/xvda",
          ebs: {
            volumeSize: 33,
            volumeType: "gp3",
            encrypted: "true",
            deleteOnTermination: "true",
          },
        },
      ],
      tagSpecifications: [
        { resourceType: "instance", tags: { from: "template" } },
        { resourceType: "volume", tags: { disk: "root" } },
      ],
    });
    const scaling = await cloud.group(made, {
      desiredCapacity: 4,
      tags: [
        { key: "Name", value: "worker", propagateAtLaunch: true },
        { key: "kept", value: "here", propagateAtLaunch: false },
      ],
    });
    const instances = await cloud.instancesOf(scaling.id);
    expect(instances.map(({ Placement }) => Placement?.AvailabilityZone).sort()).toEqual(
      ["a", "a", "b", "c"].map((zone) => `${REGION}${zone}`),
    );
    const [first] = instances;
    expect(first).toMatchObject({
      ImageId: imageOf("amd64"),
      InstanceType: "m6i.large",
      MetadataOptions: { HttpTokens: "required" },
      Monitoring: { State: "enabled" },
      SecurityGroups: [{ GroupId: cloud.securityGroup }],
    });
    expect(first?.IamInstanceProfile?.Arn).toMatch(new RegExp(`/${cloud.profile}$`));
    expect(first?.Tags).toEqual(
      expect.arrayContaining([
        { Key: "Name", Value: "worker" },
        { Key: "from", Value: "template" },
        { Key: "aws:autoscaling:groupName", Value: scaling.id },
        { Key: "aws:ec2launchtemplate:version", Value: "1" },
      ]),
    );
    expect(first?.Tags?.some(({ Key }) => Key === "kept")).toBe(false);
    expect(await cloud.userDataOf(first)).toBe("one");
    const { Volumes } = await cloud.ec2.send(
      new DescribeVolumesCommand({
        VolumeIds: [first?.BlockDeviceMappings?.[0]?.Ebs?.VolumeId ?? ""],
      }),
    );
    expect(Volumes?.[0]).toMatchObject({
      Size: 33,
      Encrypted: true,
      Tags: [{ Key: "disk", Value: "root" }],
    });
    await cloud.world.remove(GROUP, scaling);
    expect(await cloud.instancesOf(scaling.id)).toEqual([]);
    await cloud.world.remove(TEMPLATE, made);
    expect(await cloud.groupNamed(scaling.id)).toBeUndefined();
  });

  it("replaces machines that were terminated or stopped by hand, and follows the desired capacity", async () => {
    const scaling = await cloud.group(await cloud.template(), { desiredCapacity: 2 });
    const before = (await cloud.instancesOf(scaling.id)).map(({ InstanceId }) => InstanceId ?? "");
    await cloud.ec2.send(new TerminateInstancesCommand({ InstanceIds: before.slice(0, 1) }));
    await cloud.ec2.send(new StopInstancesCommand({ InstanceIds: before.slice(1) }));
    await eventually(async () => {
      const after = (await cloud.instancesOf(scaling.id)).map(({ InstanceId }) => InstanceId);
      expect(after).toHaveLength(2);
      expect(after.some((id) => before.includes(id ?? ""))).toBe(false);
    });
    await cloud.autoScaling.send(
      new SetDesiredCapacityCommand({
        AutoScalingGroupName: scaling.id,
        DesiredCapacity: 4,
      }),
    );
    expect(await cloud.instancesOf(scaling.id)).toHaveLength(4);
    await expect(
      cloud.autoScaling.send(
        new SetDesiredCapacityCommand({
          AutoScalingGroupName: scaling.id,
          DesiredCapacity: 10,
        }),
      ),
    ).rejects.toThrow("above max value 9");
    const drifted = await cloud.world.substitute.read(GROUP, scaling.id, scaling);
    expect(drifted?.inputs.desiredCapacity).toBe(4);
    const back = await cloud.world.change(GROUP, scaling, {
      ...scaling.inputs,
      desiredCapacity: 1,
    });
    expect(await cloud.instancesOf(scaling.id)).toHaveLength(1);
    await cloud.world.remove(GROUP, back);
  });

  it("changes, adds and removes a group's tags", async () => {
    const tag = (key: string, value: string) => ({ key, value, propagateAtLaunch: true });
    const scaling = await cloud.group(await cloud.template(), {
      tags: [tag("a", "1"), tag("b", "1")],
    });
    const changed = await cloud.world.change(GROUP, scaling, {
      ...scaling.inputs,
      tags: [tag("a", "2"), tag("c", "1")],
    });
    const live = await cloud.world.substitute.read(GROUP, scaling.id, changed);
    expect(live?.inputs.tags).toEqual([tag("a", "2"), tag("c", "1")]);
    await cloud.world.remove(GROUP, changed);
  });

  it("follows removed and added zones", async () => {
    const [first = "", ...others] = cloud.subnets;
    const scaling = await cloud.group(await cloud.template(), {
      desiredCapacity: 2,
      vpcZoneIdentifiers: [first],
    });
    const moved = await cloud.world.change(GROUP, scaling, {
      ...scaling.inputs,
      vpcZoneIdentifiers: others,
    });
    await eventually(async () => {
      const used = (await cloud.instancesOf(scaling.id)).map(({ SubnetId }) => SubnetId);
      expect(used.sort()).toEqual([...others].sort());
    });
    await cloud.world.remove(GROUP, moved);
  });

  it("mixes types, and on-demand with spot", async () => {
    const made = await cloud.template();
    const types = ["m6i.large", "m6a.large", "m5.large"];
    const scaling = await cloud.world.make(GROUP, {
      name: "mixed",
      minSize: 5,
      maxSize: 9,
      vpcZoneIdentifiers: cloud.subnets,
      capacityRebalance: true,
      mixedInstancesPolicy: {
        launchTemplate: {
          launchTemplateSpecification: { launchTemplateId: made.id, version: "$Latest" },
          overrides: types.map((instanceType) => ({ instanceType })),
        },
        instancesDistribution: {
          onDemandBaseCapacity: 1,
          onDemandPercentageAboveBaseCapacity: 25,
          spotAllocationStrategy: "price-capacity-optimized",
        },
      },
    });
    const instances = await cloud.instancesOf(scaling.id);
    const spot = instances.filter(({ InstanceLifecycle }) => InstanceLifecycle === "spot");
    expect(instances).toHaveLength(5);
    expect(spot.map(({ InstanceType }) => InstanceType).sort()).toEqual([...types].sort());
    await cloud.world.remove(GROUP, scaling);
  });

  it("launches what machines must have, into a placement group, and keeps the group's hooks", async () => {
    const placement = await cloud.world.make(ec2Type("PlacementGroup"), { strategy: "spread" });
    const { instanceType: _none, ...others } = cloud.content();
    const made = await cloud.world.make(TEMPLATE, {
      ...others,
      name: "required",
      placement: { groupName: placement.id },
      capacityReservationSpecification: { capacityReservationPreference: "none" },
    });
    const required = (allowedInstanceTypes: string[]): Values => ({
      name: "required",
      minSize: 1,
      maxSize: 2,
      vpcZoneIdentifiers: cloud.subnets,
      mixedInstancesPolicy: {
        launchTemplate: {
          launchTemplateSpecification: { launchTemplateId: made.id, version: versionOf(made) },
          overrides: [
            {
              instanceRequirements: {
                vcpuCount: { min: 2, max: 2 },
                memoryMib: { min: 8_192 },
                acceleratorCount: { max: 0 },
                allowedInstanceTypes,
              },
            },
          ],
        },
        instancesDistribution: { onDemandAllocationStrategy: "lowest-price" },
      },
    });
    await expect(cloud.world.make(GROUP, required(["m7g.*"]))).rejects.toThrow(
      /No instance type satisfies/,
    );
    const scaling = await cloud.world.make(GROUP, required(["m6i.*", "m5.*"]));
    const [instance] = await cloud.instancesOf(scaling.id);
    expect(instance).toMatchObject({
      InstanceType: "m5.large",
      Placement: { GroupName: placement.id },
      CapacityReservationSpecification: { CapacityReservationPreference: "none" },
    });
    await cloud.world.remove(GROUP, scaling);
    await cloud.world.remove(ec2Type("PlacementGroup"), placement);
  });

  it("holds an instance that ends for as long as a lifecycle hook asks, with a bound", async () => {
    const made = await cloud.template();
    const scaling = await cloud.group(made, { desiredCapacity: 2 });
    const type = "aws:autoscaling/lifecycleHook:LifecycleHook";
    const hook = {
      name: "drain",
      autoscalingGroupName: scaling.id,
      lifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
      heartbeatTimeout: 180,
      defaultResult: "CONTINUE",
    };
    const drain = await cloud.world.make(type, hook);
    /** How each of its instances ended, in the order of their ends. */
    const ends = async () => {
      const { Activities = [] } = await cloud.autoScaling.send(
        new DescribeScalingActivitiesCommand({
          AutoScalingGroupName: scaling.id,
          IncludeDeletedGroups: true,
        }),
      );
      return Activities.reverse()
        .filter(({ Description }) => Description?.startsWith("Terminating"))
        .map(({ StatusCode, StartTime = 0, EndTime = 0 }) => ({
          StatusCode,
          wasHeld: Number(EndTime) > Number(StartTime),
        }));
    };
    const held = { StatusCode: "Successful", wasHeld: true };
    await cloud.autoScaling.send(
      new SetDesiredCapacityCommand({ AutoScalingGroupName: scaling.id, DesiredCapacity: 1 }),
    );
    await eventually(async () => expect(await ends()).toEqual([held]));
    expect(await cloud.instancesOf(scaling.id)).toHaveLength(1);
    const changed = await cloud.world.change(type, drain, { ...hook, heartbeatTimeout: 60 });

    // Without force, a group exists until its last instance has ended.
    await cloud.world.remove(GROUP, scaling);
    expect(await ends()).toEqual([held, held]);
    await cloud.world.remove(type, changed);
  });

  it("deletes a group by force without waiting, protected instances and all", async () => {
    const made = await cloud.template({ disableApiTermination: true });
    const scaling = await cloud.group(made, {
      desiredCapacity: 1,
      forceDelete: true,
      protectFromScaleIn: true,
    });
    const [instance] = await cloud.instancesOf(scaling.id);
    await cloud.world.remove(GROUP, scaling);
    const { Reservations } = await cloud.ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [instance?.InstanceId ?? ""] }),
    );
    expect(Reservations?.[0]?.Instances?.[0]?.State?.Name).toBe("terminated");
  });

  it.each<[string, Values, string]>([
    ["an image that isn't there", { imageId: "ami-0" }, "'[ami-0]' does not exist"],
    [
      "a type of another architecture",
      { instanceType: "m7g.large" },
      "does not match the architecture 'x86_64'",
    ],
    [
      "a type that doesn't exist",
      { instanceType: "m6i.lareg" },
      "valid fully-formed launch template. Invalid value 'm6i.lareg' for InstanceType.",
    ],
    [
      "CPU credits of a type that has none",
      { creditSpecification: { cpuCredits: "standard" } },
      "The m6i.large instance type does not support T2 Unlimited.",
    ],
    [
      "more user data than EC2 takes",
      { userData: userData("x".repeat(16_385)) },
      "valid fully-formed launch template. User data is limited to 16384 bytes",
    ],
  ])("rejects %s", async (_, change, complaint) => {
    const made = await cloud.template(change);
    await expect(cloud.group(made, { desiredCapacity: 1 })).rejects.toThrow(complaint);
  });

  it("runs arm64 images on types for them", async () => {
    const made = await cloud.template({ imageId: imageOf("arm64"), instanceType: "m7g.large" });
    const scaling = await cloud.group(made, { desiredCapacity: 1 });
    expect((await cloud.instancesOf(scaling.id))[0]?.Architecture).toBe("arm64");
    await cloud.world.remove(GROUP, scaling);
  });

  it("reports all problems of a group at once", async () => {
    await expect(
      cloud.world.make(GROUP, {
        minSize: 1,
        maxSize: 2,
        availabilityZones: [`${REGION}a`],
        vpcZoneIdentifiers: cloud.subnets,
        waitForCapacityTimeout: "soon",
      }),
    ).rejects.toThrow(
      /to be a duration, such as "10m", got "soon".*can't both be set.*exactly one of/,
    );
  });
});
