import {
  AutoScalingClient,
  DescribeAutoScalingGroupsCommand,
  DescribeInstanceRefreshesCommand,
  DescribeScalingActivitiesCommand,
  SetDesiredCapacityCommand,
} from "@aws-sdk/client-auto-scaling";
import {
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  EC2Client,
  TerminateInstancesCommand,
  StopInstancesCommand,
  type Instance,
} from "@aws-sdk/client-ec2";
import { talosImages } from "../../../../emulator/aws/amis";
import type { LiveResource } from "../../../../emulator/aws/plugin/standIn";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { UNKNOWN } from "../../../../provider/unknown";
import { eventually } from "../../support/eventually";
import { ec2 as ec2Type, REGION, startStandInWorld, type StandInWorld } from "./standInWorld";

const GROUP = "aws:autoscaling/group:Group";
const TEMPLATE = ec2Type("LaunchTemplate");
const imageOf = (architecture: string) =>
  talosImages().find(({ name }) => name === `talos-v1.12.1-${REGION}-${architecture}`)?.ami_id ??
  "";
const versionOf = ({ state }: LiveResource) => JSON.stringify(state.latestVersion);
const userData = (text: string) => Buffer.from(text).toString("base64");

describe("auto scaling on the emulated cloud", () => {
  let world: StandInWorld;
  let ec2: EC2Client;
  let autoScaling: AutoScalingClient;
  let subnets: string[];
  let securityGroup: string;
  let profile: string;
  let names = 0;

  beforeAll(async () => {
    world = await startStandInWorld();
    ec2 = new EC2Client(world.clientSettings);
    autoScaling = new AutoScalingClient(world.clientSettings);
    const vpc = await world.make(ec2Type("Vpc"), { cidrBlock: "10.0.0.0/16" });
    subnets = [];
    for (const zone of ["a", "b", "c"]) {
      const subnet = await world.make(ec2Type("Subnet"), {
        vpcId: vpc.id,
        cidrBlock: `10.0.${subnets.length}.0/24`,
        availabilityZone: `${REGION}${zone}`,
      });
      subnets.push(subnet.id);
    }
    const group = await world.make(ec2Type("SecurityGroup"), { vpcId: vpc.id, description: "x" });
    securityGroup = group.id;
    const role = await world.make("aws:iam/role:Role", { assumeRolePolicy: "{}" });
    const made = await world.make("aws:iam/instanceProfile:InstanceProfile", { role: role.id });
    profile = made.id;
  });

  afterAll(async () => {
    ec2.destroy();
    autoScaling.destroy();
    await world.close();
  });

  const content = (more: Values = {}): Values => ({
    imageId: imageOf("amd64"),
    instanceType: "m6i.large",
    userData: userData("one"),
    ...more,
  });
  const template = (more: Values = {}) =>
    world.make(TEMPLATE, { name: `template-${++names}`, ...content(more) });
  const group = (made: LiveResource, more: Values = {}) =>
    world.make(GROUP, {
      name: `group-${++names}`,
      minSize: 0,
      maxSize: 9,
      vpcZoneIdentifiers: subnets,
      launchTemplate: { id: made.id, version: versionOf(made) },
      ...more,
    });

  async function groupNamed(name: string) {
    const { AutoScalingGroups } = await autoScaling.send(
      new DescribeAutoScalingGroupsCommand({
        AutoScalingGroupNames: [name],
      }),
    );
    return AutoScalingGroups?.[0];
  }

  async function instancesOf(name: string): Promise<Instance[]> {
    const ids = ((await groupNamed(name))?.Instances ?? []).map(({ InstanceId }) => InstanceId);
    if (ids.length === 0) {
      return [];
    }
    const { Reservations } = await ec2.send(
      new DescribeInstancesCommand({ InstanceIds: ids.flatMap((id) => id ?? []) }),
    );
    return (Reservations ?? []).flatMap(({ Instances }) => Instances ?? []);
  }

  async function userDataOf(instance: Instance | undefined): Promise<string> {
    const { UserData } = await ec2.send(
      new DescribeInstanceAttributeCommand({
        InstanceId: instance?.InstanceId,
        Attribute: "userData",
      }),
    );
    return Buffer.from(UserData?.Value ?? "", "base64").toString("utf8");
  }

  it("keeps every version of a launch template", async () => {
    const rich: Values = content({
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
      iamInstanceProfile: { name: profile },
      instanceMarketOptions: { marketType: "spot", spotOptions: { maxPrice: "0.1" } },
      metadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 1 },
      monitoring: { enabled: true },
      networkInterfaces: [
        { deviceIndex: 0, associatePublicIpAddress: "false", securityGroups: [securityGroup] },
      ],
      privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: false },
      tagSpecifications: [{ resourceType: "instance", tags: { Name: "worker" } }],
      updateDefaultVersion: true,
      tags: { Name: "rich" },
    });
    const made = await world.make(TEMPLATE, rich);
    expect(made.state).toMatchObject({ latestVersion: 1, defaultVersion: 1 });
    const edited = { ...rich, userData: userData("two") };
    const preview = await world.standIn.update(
      TEMPLATE,
      made.id,
      made,
      { ...made.inputs, ...edited },
      { preview: true },
    );
    expect(preview.state).toMatchObject({ latestVersion: UNKNOWN, defaultVersion: UNKNOWN });
    const second = await world.change(TEMPLATE, made, edited);
    expect(second.state).toMatchObject({ latestVersion: 2, defaultVersion: 2 });
    const third = await world.change(TEMPLATE, second, { ...edited, tags: { Name: "other" } });
    expect(third.state).toMatchObject({ latestVersion: 2, tagsAll: { Name: "other" } });
    await world.remove(TEMPLATE, third);
  });

  it("launches the template's version, spread over zones, with the group's tags", async () => {
    const made = await template({
      vpcSecurityGroupIds: [securityGroup],
      iamInstanceProfile: { name: profile },
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
    const scaling = await group(made, {
      desiredCapacity: 4,
      tags: [
        { key: "Name", value: "worker", propagateAtLaunch: true },
        { key: "kept", value: "here", propagateAtLaunch: false },
      ],
    });
    const instances = await instancesOf(scaling.id);
    expect(instances.map(({ Placement }) => Placement?.AvailabilityZone).sort()).toEqual(
      ["a", "a", "b", "c"].map((zone) => `${REGION}${zone}`),
    );
    const [first] = instances;
    expect(first).toMatchObject({
      ImageId: imageOf("amd64"),
      InstanceType: "m6i.large",
      MetadataOptions: { HttpTokens: "required" },
      Monitoring: { State: "enabled" },
      SecurityGroups: [{ GroupId: securityGroup }],
    });
    expect(first?.IamInstanceProfile?.Arn).toMatch(new RegExp(`/${profile}$`));
    expect(first?.Tags).toEqual(
      expect.arrayContaining([
        { Key: "Name", Value: "worker" },
        { Key: "from", Value: "template" },
        { Key: "aws:autoscaling:groupName", Value: scaling.id },
        { Key: "aws:ec2launchtemplate:version", Value: "1" },
      ]),
    );
    expect(first?.Tags?.some(({ Key }) => Key === "kept")).toBe(false);
    expect(await userDataOf(first)).toBe("one");
    const { Volumes } = await ec2.send(
      new DescribeVolumesCommand({
        VolumeIds: [first?.BlockDeviceMappings?.[0]?.Ebs?.VolumeId ?? ""],
      }),
    );
    expect(Volumes?.[0]).toMatchObject({
      Size: 33,
      Encrypted: true,
      Tags: [{ Key: "disk", Value: "root" }],
    });
    await world.remove(GROUP, scaling);
    expect(await instancesOf(scaling.id)).toEqual([]);
    await world.remove(TEMPLATE, made);
    expect(await groupNamed(scaling.id)).toBeUndefined();
  });

  it("replaces machines that were terminated or stopped by hand, and follows the desired capacity", async () => {
    const scaling = await group(await template(), { desiredCapacity: 2 });
    const before = (await instancesOf(scaling.id)).map(({ InstanceId }) => InstanceId ?? "");
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: before.slice(0, 1) }));
    await ec2.send(new StopInstancesCommand({ InstanceIds: before.slice(1) }));
    await eventually(async () => {
      const after = (await instancesOf(scaling.id)).map(({ InstanceId }) => InstanceId);
      expect(after).toHaveLength(2);
      expect(after.some((id) => before.includes(id ?? ""))).toBe(false);
    });
    await autoScaling.send(
      new SetDesiredCapacityCommand({
        AutoScalingGroupName: scaling.id,
        DesiredCapacity: 4,
      }),
    );
    expect(await instancesOf(scaling.id)).toHaveLength(4);
    await expect(
      autoScaling.send(
        new SetDesiredCapacityCommand({
          AutoScalingGroupName: scaling.id,
          DesiredCapacity: 10,
        }),
      ),
    ).rejects.toThrow("above max value 9");
    const drifted = await world.standIn.read(GROUP, scaling.id, scaling);
    expect(drifted?.inputs.desiredCapacity).toBe(4);
    const back = await world.change(GROUP, scaling, { ...scaling.inputs, desiredCapacity: 1 });
    expect(await instancesOf(scaling.id)).toHaveLength(1);
    await world.remove(GROUP, back);
  });

  it("changes, adds and removes a group's tags", async () => {
    const tag = (key: string, value: string) => ({ key, value, propagateAtLaunch: true });
    const scaling = await group(await template(), { tags: [tag("a", "1"), tag("b", "1")] });
    const changed = await world.change(GROUP, scaling, {
      ...scaling.inputs,
      tags: [tag("a", "2"), tag("c", "1")],
    });
    const live = await world.standIn.read(GROUP, scaling.id, changed);
    expect(live?.inputs.tags).toEqual([tag("a", "2"), tag("c", "1")]);
    await world.remove(GROUP, changed);
  });

  it("follows removed and added zones", async () => {
    const [first = "", ...others] = subnets;
    const scaling = await group(await template(), {
      desiredCapacity: 2,
      vpcZoneIdentifiers: [first],
    });
    const moved = await world.change(GROUP, scaling, {
      ...scaling.inputs,
      vpcZoneIdentifiers: others,
    });
    await eventually(async () => {
      const used = (await instancesOf(scaling.id)).map(({ SubnetId }) => SubnetId);
      expect(used.sort()).toEqual([...others].sort());
    });
    await world.remove(GROUP, moved);
  });

  it("replaces its instances one by one when the template gets another version", async () => {
    const made = await template();
    const scaling = await group(made, {
      desiredCapacity: 3,
      instanceRefresh: { strategy: "Rolling", preferences: { minHealthyPercentage: 60 } },
    });
    const edit = async (text: string, templateBefore: LiveResource, groupBefore: LiveResource) => {
      const newer = await world.change(TEMPLATE, templateBefore, {
        ...made.inputs,
        userData: userData(text),
      });
      const refreshed = await world.change(GROUP, groupBefore, {
        ...scaling.inputs,
        launchTemplate: { id: made.id, version: versionOf(newer) },
      });
      return [newer, refreshed] as const;
    };
    const [second, between] = await edit("two", made, scaling);
    // The next change comes while the first is still under way, and takes its place.
    const [, refreshed] = await edit("three", second, between);
    const name = { AutoScalingGroupName: scaling.id };
    await eventually(async () => {
      const { InstanceRefreshes } = await autoScaling.send(
        new DescribeInstanceRefreshesCommand(name),
      );
      expect(InstanceRefreshes).toMatchObject([
        { Status: "Successful", PercentageComplete: 100 },
        { Status: "Cancelled" },
      ]);
    });
    const after = await instancesOf(scaling.id);
    expect(after).toHaveLength(3);
    expect(await Promise.all(after.map(userDataOf))).toEqual(["three", "three", "three"]);
    const { Activities = [] } = await autoScaling.send(new DescribeScalingActivitiesCommand(name));
    const steps = Activities.map(({ Description = "" }) => Description.split(" ")[0]).reverse();
    // One in three may be missing: the next one goes only when the one before has a successor.
    expect(steps.slice(0, 3)).toEqual(["Launching", "Launching", "Launching"]);
    for (let index = 3; index < steps.length; index += 2) {
      expect(steps.slice(index, index + 2)).toEqual(["Terminating", "Launching"]);
    }
    await world.remove(GROUP, refreshed);
  });

  it.each([
    ["launches first above 100 %", 100, 110, ["Launching", "Launching", "Terminating"]],
    ["ends the only instance first otherwise", 100, 100, ["Launching", "Terminating", "Launching"]],
  ])("%s", async (_, minHealthyPercentage, maxHealthyPercentage, expected) => {
    const made = await template();
    const scaling = await group(made, {
      desiredCapacity: 1,
      instanceRefresh: {
        strategy: "Rolling",
        preferences: { minHealthyPercentage, maxHealthyPercentage, skipMatching: true },
      },
    });
    const newer = await world.change(TEMPLATE, made, {
      ...made.inputs,
      userData: userData("two"),
    });
    const refreshed = await world.change(GROUP, scaling, {
      ...scaling.inputs,
      launchTemplate: { id: made.id, version: versionOf(newer) },
    });
    const name = { AutoScalingGroupName: scaling.id };
    await eventually(async () => {
      const found = await autoScaling.send(new DescribeInstanceRefreshesCommand(name));
      expect(found.InstanceRefreshes).toMatchObject([{ Status: "Successful" }]);
    });
    const { Activities = [] } = await autoScaling.send(new DescribeScalingActivitiesCommand(name));
    const steps = Activities.map(({ Description = "" }) => Description.split(" ")[0]).reverse();
    expect(steps).toEqual(expected);
    expect(await instancesOf(scaling.id)).toHaveLength(1);
    const versions = (Values: string[]) =>
      world.standIn.invoke("aws:ec2/getInstances:getInstances", {
        filters: [
          { name: "tag:aws:autoscaling:groupName", values: [scaling.id] },
          { name: "tag:aws:ec2launchtemplate:version", values: Values },
        ],
      });
    expect((await versions(["2"])).ids).toHaveLength(1);
    expect((await versions(["1"])).ids).toEqual([]);
    await world.remove(GROUP, refreshed);
  });

  it("rejects percentages that AWS rejects", async () => {
    const made = await template();
    const scaling = await group(made, {
      instanceRefresh: {
        strategy: "Rolling",
        preferences: { minHealthyPercentage: 0, maxHealthyPercentage: 110 },
      },
    });
    const newer = await world.change(TEMPLATE, made, { ...made.inputs, ebsOptimized: "true" });
    const change = { launchTemplate: { id: made.id, version: versionOf(newer) } };
    await expect(world.change(GROUP, scaling, { ...scaling.inputs, ...change })).rejects.toThrow(
      "cannot be greater than 100",
    );
  });

  it("mixes types, and on-demand with spot", async () => {
    const made = await template();
    const types = ["m6i.large", "m6a.large", "m5.large"];
    const scaling = await world.make(GROUP, {
      name: "mixed",
      minSize: 5,
      maxSize: 9,
      vpcZoneIdentifiers: subnets,
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
    const instances = await instancesOf(scaling.id);
    const spot = instances.filter(({ InstanceLifecycle }) => InstanceLifecycle === "spot");
    expect(instances).toHaveLength(5);
    expect(spot.map(({ InstanceType }) => InstanceType).sort()).toEqual([...types].sort());
    await world.remove(GROUP, scaling);
  });

  it("launches what machines must have, into a placement group, and keeps the group's hooks", async () => {
    const placement = await world.make(ec2Type("PlacementGroup"), { strategy: "spread" });
    const { instanceType: _none, ...others } = content();
    const made = await world.make(TEMPLATE, {
      ...others,
      name: "required",
      placement: { groupName: placement.id },
      capacityReservationSpecification: { capacityReservationPreference: "none" },
    });
    const required = (allowedInstanceTypes: string[]): Values => ({
      name: "required",
      minSize: 1,
      maxSize: 2,
      vpcZoneIdentifiers: subnets,
      mixedInstancesPolicy: {
        launchTemplate: {
          launchTemplateSpecification: { launchTemplateId: made.id, version: versionOf(made) },
          overrides: [
            {
              instanceRequirements: {
                vcpuCount: { min: 2, max: 2 },
                memoryMib: { min: 8_192 },
                acceleratorCount: { min: 0, max: 0 },
                allowedInstanceTypes,
              },
            },
          ],
        },
        instancesDistribution: { onDemandAllocationStrategy: "lowest-price" },
      },
    });
    await expect(world.make(GROUP, required(["m7g.*"]))).rejects.toThrow(
      /No instance type satisfies/,
    );
    const scaling = await world.make(GROUP, required(["m6i.*", "m5.*"]));
    const [instance] = await instancesOf(scaling.id);
    expect(instance).toMatchObject({
      InstanceType: "m5.large",
      Placement: { GroupName: placement.id },
      CapacityReservationSpecification: { CapacityReservationPreference: "none" },
    });
    const type = "aws:autoscaling/lifecycleHook:LifecycleHook";
    const hook = {
      name: "drain",
      autoscalingGroupName: scaling.id,
      lifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
      heartbeatTimeout: 180,
      defaultResult: "CONTINUE",
    };
    const drain = await world.make(type, hook);
    await world.remove(type, await world.change(type, drain, { ...hook, heartbeatTimeout: 60 }));
    await world.remove(GROUP, scaling);
    await world.remove(ec2Type("PlacementGroup"), placement);
  });

  it("deletes a group by force without waiting, protected instances and all", async () => {
    const made = await template({ disableApiTermination: true });
    const scaling = await group(made, {
      desiredCapacity: 1,
      forceDelete: true,
      protectFromScaleIn: true,
    });
    const [instance] = await instancesOf(scaling.id);
    await world.remove(GROUP, scaling);
    const { Reservations } = await ec2.send(
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
      "more user data than EC2 takes",
      { userData: userData("x".repeat(16_385)) },
      "valid fully-formed launch template. User data is limited to 16384 bytes",
    ],
  ])("rejects %s", async (_, change, complaint) => {
    const made = await template(change);
    await expect(group(made, { desiredCapacity: 1 })).rejects.toThrow(complaint);
  });

  it("runs arm64 images on types for them", async () => {
    const made = await template({ imageId: imageOf("arm64"), instanceType: "m7g.large" });
    const scaling = await group(made, { desiredCapacity: 1 });
    expect((await instancesOf(scaling.id))[0]?.Architecture).toBe("arm64");
    await world.remove(GROUP, scaling);
  });

  it("reports all problems of a group at once", async () => {
    await expect(
      world.make(GROUP, {
        minSize: 1,
        maxSize: 2,
        availabilityZones: [`${REGION}a`],
        vpcZoneIdentifiers: subnets,
        waitForCapacityTimeout: "soon",
      }),
    ).rejects.toThrow(/exactly one of.*"soon" is no duration.*can't both be set/);
  });
});
