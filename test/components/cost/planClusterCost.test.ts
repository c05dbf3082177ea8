import { describeClusterCost, planClusterCost } from "../../../components/cost/planClusterCost";

describe("planClusterCost", () => {
  it("counts what each choice adds", () => {
    const base = { zoneCount: 3, rootVolumeSizeGib: 50 };
    const named = (change: Partial<Parameters<typeof planClusterCost>[0]>) =>
      planClusterCost({ ...base, ...change }).map(({ what }) => what);
    expect(named({})).toEqual([
      "3 machines m6i.large",
      "3 volumes of 50 GiB",
      "1 load balancer",
      "6 public addresses",
    ]);
    expect(named({ exposure: "both", createZone: true })).toEqual(
      expect.arrayContaining(["2 load balancers", "6 public addresses", "2 hosted zones"]),
    );
    expect(named({ exposure: "direct", machineCount: 1 })).toEqual([
      "1 machine m6i.large",
      "1 volume of 50 GiB",
      "1 public address",
    ]);
    expect(named({ nat: "perZone", exposure: "internal" })).toEqual(
      expect.arrayContaining(["3 NAT gateways", "6 public addresses", "1 load balancer"]),
    );
    expect(planClusterCost({ ...base, etcdBackup: true }).at(-1)).toEqual({
      what: "snapshots of etcd in S3",
      usdPerMonth: undefined,
      rate: "$0.023 a GB",
    });
  });

  it("counts machines that nobody outside can call, and what is theirs", () => {
    const lines = planClusterCost({
      zoneCount: 3,
      rootVolumeSizeGib: 30,
      exposure: "internal",
      nat: "single",
      subnets: "private",
      detailedMonitoring: true,
      etcdVolume: { sizeGib: 10, iops: 4_000, throughputMib: 225 },
      flowLogs: { bucketArn: "arn:aws:s3:::flows" },
    });
    const sums = Object.fromEntries(
      lines.map(({ what, usdPerMonth }) => [what, usdPerMonth?.toFixed(2)]),
    );
    expect(sums).toEqual({
      "3 machines m6i.large": (3 * 0.096 * 730.5).toFixed(2),
      "3 volumes of 30 GiB": (3 * 30 * 0.08).toFixed(2),
      "3 machines monitored": "6.30",
      // 1,000 operations and 100 MiB above what is included.
      "3 volumes of 10 GiB for etcd": (3 * (0.8 + 5 + 4)).toFixed(2),
      "1 load balancer": (0.0225 * 730.5).toFixed(2),
      "1 NAT gateway": (0.045 * 730.5).toFixed(2),
      "1 public address": (0.005 * 730.5).toFixed(2),
      "flow logs": undefined,
    });
    expect(describeClusterCost(lines)).toMatch(/^costs about \$[^]*\n {2}flow logs: \$0.25 a GB$/);
  });

  it("tells the least and the most of pools that grow and shrink", () => {
    const lines = planClusterCost({
      zoneCount: 1,
      machineCount: 1,
      instanceType: "t3.medium",
      rootVolumeSizeGib: 20,
      exposure: "direct",
      workerPools: {
        arm: { machineCount: 2, instanceType: "m7g.large", subnets: "private" },
        web: { autoScaling: { minSize: 1, maxSize: 4 }, instanceType: "t4g.large" },
        spare: { autoScaling: { minSize: 0, maxSize: 1 }, instanceType: "x9.large" },
        none: { machineCount: 0 },
      },
      flowLogs: { logGroupArn: "arn" },
    });
    expect(lines.map(({ what }) => what)).toEqual([
      "1 machine t3.medium",
      "1 volume of 20 GiB",
      "1 public address",
      "pool arm: 2 machines m7g.large",
      "pool arm: 2 volumes of 50 GiB",
      "pool web: 1 to 4 machines t4g.large",
      "pool web: 1 to 4 volumes of 50 GiB",
      "pool web: 1 to 4 public addresses",
      "pool spare: 0 to 1 machine x9.large",
      "pool spare: 0 to 1 volume of 50 GiB",
      "pool spare: 0 to 1 public address",
      "flow logs",
    ]);
    const text = describeClusterCost(lines);
    expect(text).toMatch(/^costs more than \$\d+ to \$\d+ a month/);
    expect(text).toContain("pool web: 1 to 4 machines t4g.large: $49 to $196");
    expect(text).toContain("pool spare: 0 to 1 machine x9.large: not in the price table");
    expect(text).toContain("pool spare: 0 to 1 volume of 50 GiB: $0 to $4");
    expect(text).toContain("flow logs: $0.50 a GB");
  });

  it("says what it doesn't know", () => {
    const text = describeClusterCost(
      planClusterCost({ zoneCount: 1, instanceType: "x9.large", rootVolumeSizeGib: 50 }),
    );
    expect(text).toContain("costs more than $");
    expect(text).toContain("3 machines x9.large: not in the price table");
    const known = planClusterCost({ zoneCount: 1, machineCount: 1, rootVolumeSizeGib: 50 });
    expect(describeClusterCost(known)).toMatch(/^costs about \$98 a month[^]*November 2026/);
  });
});
