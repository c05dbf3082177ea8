import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeClusterCost, planClusterCost } from "../../components/planClusterCost";
import { PRESETS } from "../../environments/presets";

const total = (choices: Parameters<typeof planClusterCost>[0]) =>
  planClusterCost(choices).reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? NaN), 0);

describe("planClusterCost", () => {
  it.each([
    ["sandbox", 1],
    ["staging", 3],
    ["production", 3],
  ] as const)("comes to what the README and the settings say of %s", (preset, zoneCount) => {
    const { machineCount, instanceType, rootVolumeSizeGib } = PRESETS[preset];
    const dollars = `$${Math.round(
      total({ zoneCount, machineCount, instanceType, rootVolumeSizeGib, createZone: true }),
    )}`;
    const root = join(__dirname, "../..");
    const readme = readFileSync(join(root, "README.md"), "utf8");
    expect(readme).toMatch(new RegExp(`\\| \`${preset}\` +\\|[^|]*\\| \\${dollars} `));
    const settings = readFileSync(join(root, `environments/Pulumi.${preset}.yaml`), "utf8");
    expect(settings).toContain(`Costs about ${dollars} a month`);
  });

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
