import type {
  AutoScalingArgs,
  InstanceRequirementsArgs,
} from "../../../components/workers/autoScalingArgs";
import {
  checkAutoScaling,
  checkGroupPlacement,
} from "../../../components/workers/checkAutoScaling";
import { planInstanceRequirements } from "../../../components/workers/instanceRequirements";
import { planMachineMix } from "../../../components/workers/planMachineMix";

const requirements: InstanceRequirementsArgs = {
  vcpus: { min: 2, max: 4 },
  memoryGib: { min: 8 },
};
const scaling: AutoScalingArgs = { minSize: 0, maxSize: 3, instanceRequirements: requirements };
const problems = (
  change: Partial<InstanceRequirementsArgs>,
  others: Partial<AutoScalingArgs> = {},
) =>
  checkAutoScaling({
    ...scaling,
    ...others,
    instanceRequirements: { ...requirements, ...change },
  }).map(({ property, reason }) => `${property}: ${reason}`);

describe("what the machines of a group must have", () => {
  it("is in Auto Scaling's words, without types that can't boot Talos", () => {
    expect(planInstanceRequirements(requirements)).toEqual({
      vcpuCount: { min: 2, max: 4 },
      memoryMib: { min: 8_192 },
      instanceGenerations: ["current"],
      burstablePerformance: "excluded",
      acceleratorCount: { max: 0 },
      excludedInstanceTypes: expect.arrayContaining(["t2.*", "m4.*", "c4.*"]) as string[],
    });
    const chosen = {
      ...requirements,
      allowedInstanceTypes: ["m6i.*", "t3.large"],
      burstable: true,
    };
    expect(planInstanceRequirements(chosen)).toMatchObject({
      allowedInstanceTypes: ["m6i.*", "t3.large"],
      burstablePerformance: "included",
    });
    expect(planInstanceRequirements(chosen)).not.toHaveProperty("excludedInstanceTypes");
  });

  it("takes the place of types in the group's policy, which has no order then", () => {
    const template = { launchTemplateId: "lt-1", version: "1" };
    expect(planMachineMix(scaling, "m6i.large", 0, template)).toMatchObject({
      instancesDistribution: {
        onDemandAllocationStrategy: "lowest-price",
        onDemandPercentageAboveBaseCapacity: 100,
      },
      launchTemplate: {
        overrides: [{ instanceRequirements: planInstanceRequirements(requirements) }],
      },
    });
  });

  it("can be", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ excludedInstanceTypes: ["m5.*"] })).toEqual([]);
    expect(problems({ allowedInstanceTypes: ["m6i.*", "m6a.xlarge"] })).toEqual([]);
  });

  it.each<[string, Partial<InstanceRequirementsArgs>, Partial<AutoScalingArgs>, RegExp]>([
    ["types besides", {}, { moreInstanceTypes: ["m5.large"] }, /^moreInstanceTypes: AWS chooses/],
    [
      "an order of types",
      {},
      { spotAllocation: "capacity-optimized-prioritized", onDemandPercentage: 0 },
      /^spotAllocation: .*needs types in an order/,
    ],
    [
      "a range the wrong way round",
      { vcpus: { min: 4, max: 2 } },
      {},
      /^instanceRequirements.vcpus.max: 2 is less than min, 4/,
    ],
    [
      "no memory",
      { memoryGib: { min: 0 } },
      {},
      /^instanceRequirements.memoryGib.min: 0 is not allowed/,
    ],
    [
      "types that are allowed and excluded",
      { allowedInstanceTypes: ["m6i.*"], excludedInstanceTypes: ["m5.*"] },
      {},
      /allowedInstanceTypes: it excludes excludedInstanceTypes/,
    ],
    ["no type", { allowedInstanceTypes: [] }, {}, /allowedInstanceTypes: no type is named/],
    [
      "types that can't boot Talos",
      { allowedInstanceTypes: ["t2.*"] },
      {},
      /allowedInstanceTypes\[0\]: "t2.large" can't boot Talos/,
    ],
    [
      "types of another architecture than the image",
      { allowedInstanceTypes: ["m6i.*", "m7g.*"] },
      {},
      /allowedInstanceTypes\[1\]: "m7g.\*" is arm64, and the pool's image is amd64, as its instanceType "m6i.large"/,
    ],
    [
      "burstable types that burstable leaves out",
      { allowedInstanceTypes: ["t3.*"] },
      {},
      /allowedInstanceTypes\[0\]: "t3.\*" is burstable, and .*unless burstable is true: set that/,
    ],
    [
      "more types than AWS takes",
      { excludedInstanceTypes: Array<string>(390).fill("m5.large") },
      {},
      /excludedInstanceTypes: 390 types are too many/,
    ],
    [
      "a drain that AWS can't wait for",
      {},
      { drainSeconds: 10 },
      /^drainSeconds: 10 is not allowed/,
    ],
  ])("refuses %s", (_what, change, others, reason) => {
    expect(problems(change, others)).toEqual([expect.stringMatching(reason)]);
  });

  it.each<[Partial<InstanceRequirementsArgs>, string | undefined]>([
    [{}, undefined],
    [{ burstable: true, allowedInstanceTypes: ["m6i.*"] }, undefined],
    [{ burstable: true }, "t3.*"],
    [{ burstable: true, allowedInstanceTypes: ["m6i.*", "t3a.*"] }, "t3a.*"],
  ])("refuses burstable machines close together: %j", (change, burstable) => {
    const placed = checkGroupPlacement(
      { placementGroup: { strategy: "cluster" } },
      { ...scaling, instanceRequirements: { ...requirements, ...change } },
      ["us-east-1a"],
    );
    expect(placed.map(({ reason }) => reason)).toEqual(
      burstable === undefined ? [] : [expect.stringContaining(`these may be "${burstable}"`)],
    );
  });
});
