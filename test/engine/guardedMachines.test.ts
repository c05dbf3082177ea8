import {
  DescribeInstanceCreditSpecificationsCommand,
  DescribeInstancesCommand,
  type Instance,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";
import { type MachineArgs, makeMachine } from "../../components/machines/makeMachine";
import { type AwsWorld, REGION, startAwsWorld } from "./support/awsWorld";
import { previewSteps, upSteps } from "./support/engineSteps";
import { lifeSteps } from "./support/lifeSteps";

/** What changes in the life of the machines. */
type Choices = Partial<
  Pick<
    MachineArgs,
    | "terminationProtection"
    | "replacement"
    | "detailedMonitoring"
    | "rootVolume"
    | "instanceType"
    | "cpuCredits"
  >
>;

// Two machines' life: each step goes on where the one before it ended.
describe("machines that EC2 protects from termination, by the real engine", () => {
  const step = lifeSteps();
  let world: AwsWorld;
  let names = ["m-1", "m-2"];
  let choices: Choices = {};

  beforeAll(async () => {
    world = await startAwsWorld("guarded", () => {
      program();
      return Promise.resolve({});
    });
  });

  afterAll(() => world.close());

  function program(): void {
    const vpc = new aws.ec2.Vpc("net", { cidrBlock: "10.0.0.0/16" });
    const subnet = new aws.ec2.Subnet("net", {
      vpcId: vpc.id,
      cidrBlock: "10.0.1.0/24",
      // Not every zone has the type.
      availabilityZone: `${REGION}a`,
    });
    const group = new aws.ec2.SecurityGroup("net", { vpcId: vpc.id });
    const image = aws.ec2.getAmiOutput({
      owners: ["540036508848"],
      filters: [{ name: "name", values: ["talos-v1.12.1-*-amd64"] }],
    });
    for (const name of names) {
      const fixed = { clusterName: "c", imageId: image.id, subnetId: subnet.id };
      const securityGroupIds = [group.id];
      makeMachine(name, { ...fixed, instanceType: "t3.small", securityGroupIds, ...choices }, {});
    }
  }

  async function live(): Promise<Instance[]> {
    const { Reservations = [] } = await world.ec2.send(
      new DescribeInstancesCommand({
        Filters: [{ Name: "instance-state-name", Values: ["running"] }],
      }),
    );
    return Reservations.flatMap(({ Instances }) => Instances ?? []);
  }

  step("are made, and take back what is chosen and left out again", async () => {
    choices = { detailedMonitoring: true, rootVolume: { iops: 4_000, throughputMib: 200 } };
    await world.stack.up();
    choices = {};
    const changes = ["m-1", "m-2"].map((name) => ({
      op: "update",
      resource: `Instance ${name}`,
      replaceKeys: [],
      paths: ["monitoring", "rootBlockDevice.iops", "rootBlockDevice.throughput"],
    }));
    const byName = (one: { resource: string }, other: { resource: string }) =>
      one.resource < other.resource ? -1 : 1;
    expect((await previewSteps(world.stack)).sort(byName)).toEqual(changes);
    await world.stack.up();
    expect((await live()).map(({ Monitoring }) => Monitoring?.State)).toEqual([
      "disabled",
      "disabled",
    ]);
    expect(await previewSteps(world.stack)).toEqual([]);
  });

  step(
    "change their CPU credits while they run, and keep those that are left out again",
    async () => {
      const before = await live();
      const credits = async () => {
        const { InstanceCreditSpecifications = [] } = await world.ec2.send(
          new DescribeInstanceCreditSpecificationsCommand({
            InstanceIds: before.flatMap(({ InstanceId }) => InstanceId ?? []),
          }),
        );
        return InstanceCreditSpecifications.map(({ CpuCredits }) => CpuCredits);
      };
      choices = { cpuCredits: "standard" };
      await world.stack.up();
      expect(await credits()).toEqual(["standard", "standard"]);
      choices = {};
      expect(await previewSteps(world.stack)).toEqual([]);
      choices = { cpuCredits: "unlimited" };
      const steps = await previewSteps(world.stack);
      expect(steps.map(({ op, replaceKeys }) => ({ op, replaceKeys }))).toEqual([
        { op: "update", replaceKeys: [] },
        { op: "update", replaceKeys: [] },
      ]);
      await world.stack.up();
      expect(await credits()).toEqual(["unlimited", "unlimited"]);
      const launches = ({ InstanceId, LaunchTime }: Instance) => [InstanceId, LaunchTime];
      expect((await live()).map(launches)).toEqual(before.map(launches));
    },
  );

  step("are not replaced: the preview refuses it, with the way out", async () => {
    choices = { terminationProtection: true };
    await world.stack.up();
    choices = { terminationProtection: true, replacement: "again" };
    const refused = world.stack.preview();
    await expect(refused).rejects.toThrow(/unable to replace resource .*::m-1/);
    await expect(refused).rejects.toThrow(
      /m-1 can't be made again, because EC2 refuses to end the one that is there \(i-[0-9a-f]+\): its termination protection is on\. Set terminationProtection to false and run up with nothing else changed/,
    );
    await expect(world.stack.up()).rejects.toThrow(/unable to replace resource/);
    expect(await live()).toHaveLength(2);
  });

  step("nor in the run that turns the protection off, where Pulumi allows it", async () => {
    choices = { replacement: "again" };
    const refusal = /can't be made again, because EC2 refuses to end the one that is there/;
    await expect(world.stack.preview()).rejects.toThrow(refusal);
    await expect(world.stack.up()).rejects.toThrow(refusal);
    expect(await live()).toHaveLength(2);
  });

  step("nor removed or destroyed, protected or in the run that turns it off", async () => {
    names = ["m-1"];
    for (const terminationProtection of [true, false]) {
      choices = { terminationProtection };
      await expect(world.stack.preview()).rejects.toThrow(/::m-2" cannot be deleted/);
    }
    await expect(world.stack.destroy()).rejects.toThrow(/cannot be deleted/);
    expect(await live()).toHaveLength(2);
    names = ["m-1", "m-2"];
  });

  step("go once the protection is off", async () => {
    choices = {};
    await world.stack.up();
    choices = { replacement: "again" };
    names = ["m-1"];
    const [former] = await live();
    expect((await upSteps(world.stack)).map(({ op, resource }) => `${op} ${resource}`)).toEqual([
      "replace Instance m-1",
    ]);
    const left = await live();
    expect(left).toHaveLength(1);
    expect(left[0]?.InstanceId).not.toBe(former?.InstanceId);
    await world.stack.destroy();
    expect(await live()).toEqual([]);
  });
});
