import { checkKarpenterPool } from "../../../../components/workers/karpenter/checkKarpenterPool";
import { checkPoolBeside } from "../../../../components/workers/karpenter/checkPoolBeside";
import type { KarpenterPoolArgs } from "../../../../components/workers/karpenter/karpenterPoolArgs";
import { karpenterVariants } from "./karpenterVariants";

const { least, full } = karpenterVariants;
const problems = (change: Partial<KarpenterPoolArgs>) =>
  checkKarpenterPool({ ...least, ...change }).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );

describe("checkKarpenterPool", () => {
  it("accepts what Karpenter accepts", () => {
    expect(checkKarpenterPool(least)).toEqual([]);
    expect(checkKarpenterPool(full)).toEqual([]);
    expect(problems({ instanceTypes: ["m7i.large", "t3.small"] })).toEqual([]);
    expect(problems({ instanceCategories: ["c", "m"], expireAfter: "1h30m15s" })).toEqual([]);
    expect(problems({ consolidateAfter: "Never", consolidationPolicy: "WhenEmpty" })).toEqual([]);
  });

  it("asks for a bound of what the pool costs", () => {
    expect(problems({ limits: undefined as never })).toEqual([
      "limits: nothing bounds what the pool costs: say how many processors its machines have at most, as in {vcpus: 64}",
    ]);
    expect(problems({ limits: { vcpus: 0, memoryGib: 1.5, nodes: -1 } })).toEqual([
      expect.stringMatching(/^limits\.vcpus: 0 is not allowed/),
      expect.stringMatching(/^limits\.memoryGib: 1\.5 is not allowed/),
      expect.stringMatching(/^limits\.nodes: -1 is not allowed/),
    ]);
    expect(problems({ vcpus: { min: 96 }, memoryGib: { min: 8, max: 4 } })).toEqual([
      "memoryGib.max: 4 is less than min, 8: give the larger number here",
      "vcpus.min: a machine has 96 at least, and limits.vcpus lets all of them have 64: give a larger limit, or ask for less here",
    ]);
  });

  it("judges which machines a pool may have", () => {
    expect(problems({ architectures: [], capacityTypes: ["reserved" as never] })).toEqual([
      "architectures: none is named: take one of amd64, arm64, or leave this out",
      expect.stringMatching(/^capacityTypes\[0\]: "reserved" can't be chosen/),
    ]);
    expect(problems({ instanceTypes: ["m4.large", "m7g.large", "t3.nano", "big"] })).toEqual([
      expect.stringMatching(/^instanceTypes\[0\]: "m4\.large" can't boot Talos/),
      `instanceTypes[1]: "m7g.large" is arm64, and architectures name amd64: add that, or leave this out`,
      expect.stringMatching(/^instanceTypes\[2\]: "t3\.nano" has too little memory/),
      expect.stringMatching(/^instanceTypes\[3\]: "big" is no instance type/),
    ]);
    expect(
      problems({
        instanceTypes: ["m7i.large"],
        instanceFamilies: ["m4", "M7i"],
        instanceCategories: ["m7"],
      }),
    ).toEqual([
      expect.stringMatching(/^instanceFamilies: it excludes instanceTypes/),
      expect.stringMatching(/^instanceCategories: it excludes instanceTypes/),
      expect.stringMatching(/^instanceFamilies\[0\]: "m4\.xlarge" can't boot Talos/),
      expect.stringMatching(/^instanceFamilies\[1\]: "M7i" is no family/),
      expect.stringMatching(/^instanceCategories\[0\]: "m7" is no category/),
    ]);
  });

  it("judges requirements as Karpenter does", () => {
    const key = "karpenter.k8s.aws/instance-generation";
    expect(
      problems({
        requirements: [
          { key: "karpenter.sh/nodepool", operator: "Exists" },
          { key: "kubernetes.io/arch", operator: "In", values: ["arm64"] },
          { key: "example.com/team", operator: "Exists" },
          { key, operator: "Gt", values: ["4", "5"] },
          { key, operator: "In", values: [], minValues: 51 },
          { key, operator: "In", values: ["5"], minValues: 2 },
          { key, operator: "Exists", values: ["5"] },
          { key: "a b", operator: "Is" as never },
        ],
      }),
    ).toEqual([
      expect.stringMatching(/^requirements\[0\]\.key: Karpenter sets "karpenter.sh\/nodepool"/),
      expect.stringMatching(/^requirements\[1\]\.key: .* own: set architectures$/),
      expect.stringMatching(/^requirements\[2\]\.key: "example.com\/team" says nothing/),
      `requirements[3].values: "Gt" compares with one number: give it alone, as in ["4"]`,
      `requirements[4].values: "In" compares with nothing: name a value`,
      expect.stringMatching(/^requirements\[4\]\.minValues: 51 is not allowed/),
      "requirements[4].minValues: there are 0 values to choose from, fewer than 51",
      "requirements[5].minValues: there are 1 values to choose from, fewer than 2",
      expect.stringMatching(/^requirements\[6\]\.values: "Exists" compares with no value, "5"/),
      expect.stringMatching(/^requirements\[7\]\.key: "a b"/),
      expect.stringMatching(/^requirements\[7\]\.operator: "Is" can't be chosen/),
    ]);
  });

  it("judges when machines end", () => {
    expect(
      problems({
        budgets: [
          { nodes: "101%", reasons: ["Old" as never] },
          { nodes: "1", schedule: "0 8 * *" },
          { nodes: "1", duration: "10s" },
        ],
        consolidationPolicy: "Always" as never,
        consolidateAfter: "5",
        expireAfter: "30d",
        terminationGracePeriod: "Never",
        weight: 0,
      }),
    ).toEqual([
      expect.stringMatching(/^budgets\[0\]\.nodes: "101%" is no number of machines/),
      expect.stringMatching(/^budgets\[0\]\.reasons\[0\]: "Old" can't be chosen/),
      expect.stringMatching(/^budgets\[1\]\.schedule: nothing says how long/),
      expect.stringMatching(/^budgets\[1\]\.schedule: .* 4 fields, not 5/),
      expect.stringMatching(/^budgets\[2\]\.duration: nothing says when/),
      expect.stringMatching(/^budgets\[2\]\.duration: "10s" is no time in hours and minutes/),
      expect.stringMatching(/^consolidationPolicy: "Always" can't be chosen/),
      expect.stringMatching(/^consolidateAfter: "5" is no duration/),
      expect.stringMatching(/^expireAfter: "30d" is no duration.*, or "Never"$/),
      expect.stringMatching(/^terminationGracePeriod: "Never" is no duration/),
      expect.stringMatching(/^weight: 0 is not allowed/),
    ]);
  });
});

describe("checkPoolBeside", () => {
  it("refuses settings of other pools, and what Karpenter keeps", () => {
    const beside = {
      karpenter: { ...least, architectures: ["amd64", "arm64"] as const },
      instanceType: "m7i.large",
      cpuCredits: "standard" as const,
      gpu: "nvidia",
      rootVolumeSizeGib: 10,
      imageId: "ami-1",
      tags: { "kubernetes.io/cluster/prod": "owned", team: "data" },
    };
    expect(checkPoolBeside(beside).map(({ property, reason }) => `${property}: ${reason}`)).toEqual(
      [
        "instanceType: it has no effect on machines that Karpenter launches: say it as karpenter.instanceTypes",
        expect.stringMatching(/^gpu: it has no effect/),
        expect.stringMatching(/^cpuCredits: it has no effect/),
        `tags["kubernetes.io/cluster/prod"]: Karpenter sets it itself, and refuses it: leave it out`,
        expect.stringMatching(/^karpenter\.architectures: an image is of one architecture/),
        expect.stringMatching(/^rootVolumeSizeGib: a root volume can't have 10 GiB/),
      ],
    );
    expect(checkPoolBeside({ karpenter: least, dataVolumes: { data: { sizeGib: 8 } } })).toEqual(
      [],
    );
  });
});
