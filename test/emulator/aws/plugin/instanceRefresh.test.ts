import {
  DescribeInstanceRefreshesCommand,
  DescribeScalingActivitiesCommand,
} from "@aws-sdk/client-auto-scaling";
import type { LiveResource } from "../../../../emulator/aws/plugin/substitute";
import { eventually } from "../../support/eventually";
import { AutoScalingWorld, GROUP, TEMPLATE, userData, versionOf } from "./autoScalingWorld";

describe("an instance refresh on the emulated cloud", () => {
  let cloud: AutoScalingWorld;

  beforeAll(async () => {
    cloud = await AutoScalingWorld.start();
  });

  afterAll(() => cloud.close());

  it("replaces its instances one by one when the template gets another version", async () => {
    const made = await cloud.template();
    const scaling = await cloud.group(made, {
      desiredCapacity: 3,
      instanceRefresh: { strategy: "Rolling", preferences: { minHealthyPercentage: 60 } },
    });
    const edit = async (text: string, templateBefore: LiveResource, groupBefore: LiveResource) => {
      const newer = await cloud.world.change(TEMPLATE, templateBefore, {
        ...made.inputs,
        userData: userData(text),
      });
      const refreshed = await cloud.world.change(GROUP, groupBefore, {
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
      const { InstanceRefreshes } = await cloud.autoScaling.send(
        new DescribeInstanceRefreshesCommand(name),
      );
      expect(InstanceRefreshes).toMatchObject([
        { Status: "Successful", PercentageComplete: 100 },
        { Status: "Cancelled" },
      ]);
    });
    const after = await cloud.instancesOf(scaling.id);
    expect(after).toHaveLength(3);
    expect(await Promise.all(after.map((each) => cloud.userDataOf(each)))).toEqual([
      "three",
      "three",
      "three",
    ]);
    const { Activities = [] } = await cloud.autoScaling.send(
      new DescribeScalingActivitiesCommand(name),
    );
    const steps = Activities.map(({ Description = "" }) => Description.split(" ")[0]).reverse();
    // One in three may be missing: the next one goes only when the one before has a successor.
    expect(steps.slice(0, 3)).toEqual(["Launching", "Launching", "Launching"]);
    for (let index = 3; index < steps.length; index += 2) {
      expect(steps.slice(index, index + 2)).toEqual(["Terminating", "Launching"]);
    }
    await cloud.world.remove(GROUP, refreshed);
  });

  it.each([
    ["launches first above 100 %", 100, 110, ["Launching", "Launching", "Terminating"]],
    ["ends the only instance first otherwise", 100, 100, ["Launching", "Terminating", "Launching"]],
  ])("%s", async (_, minHealthyPercentage, maxHealthyPercentage, expected) => {
    const made = await cloud.template();
    const scaling = await cloud.group(made, {
      desiredCapacity: 1,
      instanceRefresh: {
        strategy: "Rolling",
        preferences: { minHealthyPercentage, maxHealthyPercentage, skipMatching: true },
      },
    });
    const newer = await cloud.world.change(TEMPLATE, made, {
      ...made.inputs,
      userData: userData("two"),
    });
    const refreshed = await cloud.world.change(GROUP, scaling, {
      ...scaling.inputs,
      launchTemplate: { id: made.id, version: versionOf(newer) },
    });
    const name = { AutoScalingGroupName: scaling.id };
    await eventually(async () => {
      const found = await cloud.autoScaling.send(new DescribeInstanceRefreshesCommand(name));
      expect(found.InstanceRefreshes).toMatchObject([{ Status: "Successful" }]);
    });
    const { Activities = [] } = await cloud.autoScaling.send(
      new DescribeScalingActivitiesCommand(name),
    );
    const steps = Activities.map(({ Description = "" }) => Description.split(" ")[0]).reverse();
    expect(steps).toEqual(expected);
    expect(await cloud.instancesOf(scaling.id)).toHaveLength(1);
    const versions = (Values: string[]) =>
      cloud.world.substitute.invoke("aws:ec2/getInstances:getInstances", {
        filters: [
          { name: "tag:aws:autoscaling:groupName", values: [scaling.id] },
          { name: "tag:aws:ec2launchtemplate:version", values: Values },
        ],
      });
    expect((await versions(["2"])).ids).toHaveLength(1);
    expect((await versions(["1"])).ids).toEqual([]);
    await cloud.world.remove(GROUP, refreshed);
  });

  it("rejects percentages that AWS rejects", async () => {
    const made = await cloud.template();
    const scaling = await cloud.group(made, {
      instanceRefresh: {
        strategy: "Rolling",
        preferences: { minHealthyPercentage: 0, maxHealthyPercentage: 110 },
      },
    });
    const newer = await cloud.world.change(TEMPLATE, made, {
      ...made.inputs,
      ebsOptimized: "true",
    });
    const change = { launchTemplate: { id: made.id, version: versionOf(newer) } };
    await expect(
      cloud.world.change(GROUP, scaling, { ...scaling.inputs, ...change }),
    ).rejects.toThrow("cannot be greater than 100");
  });
});
