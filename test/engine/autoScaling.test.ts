import {
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  type EC2Client,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";
import type { Stack } from "@pulumi/pulumi/automation";
import { talosImages } from "../../emulator/aws/amis";
import { eventually } from "../emulator/support/eventually";
import { type AwsWorld, REGION, startAwsWorld } from "./support/awsWorld";
import { previewSteps, upSteps } from "./support/engineSteps";
import { lifeSteps } from "./support/lifeSteps";
import { outputsIn, storedResources } from "./support/storedResources";

const imageOf = (version: string) =>
  talosImages().find(({ name }) => name === `talos-${version}-${REGION}-amd64`)?.ami_id ?? "";

// One stack's life: each test goes on where the one before it ended.
describe("auto scaling groups, addresses and volumes, by the real engine", () => {
  const v = { userData: "one", size: 2, gib: 10, image: imageOf("v1.12.0") };
  const step = lifeSteps();
  let world: AwsWorld;
  let ec2: EC2Client;
  let stack: Stack;

  beforeAll(async () => {
    world = await startAwsWorld("auto-scaling", () => Promise.resolve(program()));
    ({ ec2, stack } = world);
  });

  afterAll(() => world.close());

  function program() {
    const vpc = new aws.ec2.Vpc("net", { cidrBlock: "10.0.0.0/16" });
    const [a, b] = ["a", "b"].map(
      (zone, index) =>
        new aws.ec2.Subnet(zone, {
          vpcId: vpc.id,
          cidrBlock: `10.0.${index}.0/24`,
          availabilityZone: `${REGION}${zone}`,
        }),
    ) as [aws.ec2.Subnet, aws.ec2.Subnet];
    const template = new aws.ec2.LaunchTemplate("workers", {
      imageId: imageOf("v1.12.1"),
      instanceType: "m6i.large",
      userData: Buffer.from(v.userData).toString("base64"),
      updateDefaultVersion: true,
    });
    const group = new aws.autoscaling.Group("workers", {
      minSize: 1,
      maxSize: 5,
      desiredCapacity: v.size,
      vpcZoneIdentifiers: [a.id, b.id],
      launchTemplate: { id: template.id, version: template.latestVersion.apply(String) },
      instanceRefresh: { strategy: "Rolling", preferences: { minHealthyPercentage: 50 } },
      tags: [{ key: "Name", value: "worker", propagateAtLaunch: true }],
    });
    const instance = new aws.ec2.Instance("node", {
      ami: v.image,
      instanceType: "m6i.large",
      subnetId: a.id,
    });
    const address = new aws.ec2.Eip("node", { domain: "vpc" });
    new aws.ec2.EipAssociation("node", { allocationId: address.id, instanceId: instance.id });
    const disk = new aws.ebs.Volume("etcd", {
      availabilityZone: a.availabilityZone,
      size: v.gib,
      type: "gp3",
      encrypted: true,
    });
    new aws.ec2.VolumeAttachment(
      "etcd",
      {
        deviceName: "/dev/sdf",
        instanceId: instance.id,
        volumeId: disk.id,
        stopInstanceBeforeDetaching: true,
      },
      // A volume is attached to one machine at a time, which the provider leaves to programs.
      { deleteBeforeReplace: true },
    );
    return { group: group.name, disk: disk.id, address: address.publicIp, instance: instance.id };
  }

  const outputs = async () => outputsIn(await storedResources(stack));
  /** Also shows what the step before has left to change, which is nothing. */
  const planned = async () =>
    (await previewSteps(stack)).map(({ op, resource, paths }) => [op, resource, ...paths]);

  async function workers() {
    const { Reservations } = await ec2.send(
      new DescribeInstancesCommand({
        Filters: [
          { Name: "tag:Name", Values: ["worker"] },
          { Name: "instance-state-name", Values: ["running"] },
        ],
      }),
    );
    return (Reservations ?? []).flatMap(({ Instances }) => Instances ?? []);
  }

  step("are created, and need no change afterwards", async () => {
    await stack.up();
    expect((await workers()).map(({ Placement }) => Placement?.AvailabilityZone).sort()).toEqual([
      `${REGION}a`,
      `${REGION}b`,
    ]);
    expect(await upSteps(stack)).toEqual([]);
    const { summary } = await stack.refresh();
    expect(Object.keys(summary.resourceChanges ?? {})).toEqual(["same"]);
  });

  step("replace machines when the launch template changes, as previewed", async () => {
    v.userData = "two";
    expect(await planned()).toEqual([
      ["update", "LaunchTemplate workers", "defaultVersion", "latestVersion", "userData"],
      ["update", "Group workers", "launchTemplate.version"],
    ]);
    await stack.up();
    await eventually(async () => {
      const data = await Promise.all(
        (await workers()).map(async ({ InstanceId }) => {
          const { UserData } = await ec2.send(
            new DescribeInstanceAttributeCommand({ InstanceId, Attribute: "userData" }),
          );
          return Buffer.from(UserData?.Value ?? "", "base64").toString("utf8");
        }),
      );
      expect(data).toEqual(["two", "two"]);
    });
  });

  step("grow in place, machines and volumes", async () => {
    Object.assign(v, { size: 3, gib: 20 });
    const steps = await planned();
    expect(steps.sort()).toEqual([
      ["update", "Group workers", "desiredCapacity"],
      ["update", "Volume etcd", "size"],
    ]);
    await stack.up();
    expect(await workers()).toHaveLength(3);
  });

  step("move address and volume to a replacement", async () => {
    const before = await outputs();
    v.image = imageOf("v1.12.1");
    const steps = await previewSteps(stack);
    // The engine comes to the two that follow the machine in any order.
    expect(
      steps.map(({ op, resource, replaceKeys }) => [op, resource, ...replaceKeys]).sort(),
    ).toEqual([
      ["replace", "EipAssociation node", "instanceId"],
      ["replace", "Instance node", "ami"],
      ["replace", "VolumeAttachment etcd", "instanceId"],
    ]);
    await stack.up();
    const after = await outputs();
    expect(after.disk).toEqual(before.disk);
    const { Reservations } = await ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [String(after.instance)] }),
    );
    const [live] = Reservations?.[0]?.Instances ?? [];
    expect(live?.PublicIpAddress).toBe(after.address);
    expect(live?.BlockDeviceMappings?.map(({ Ebs }) => Ebs?.VolumeId)).toContain(after.disk);
    expect(await planned()).toEqual([]);
  });

  step("are destroyed, and leave nothing behind", async () => {
    await stack.destroy();
    expect(await workers()).toEqual([]);
    const { Volumes } = await ec2.send(new DescribeVolumesCommand({}));
    expect(Volumes).toEqual([]);
  });
});
