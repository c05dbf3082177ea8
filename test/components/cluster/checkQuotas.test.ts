import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { checkQuotas, countInboundRules } from "../../../components/cluster/checkQuotas";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { build } from "../mockedGraph";
import { standardCluster } from "./standardCluster";

const zones = ["us-east-1a", "us-east-1b", "us-east-1c"];
const problems = (change: Partial<TalosClusterArgs>) =>
  checkQuotas({ ...standardCluster, ...change }).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );

describe("a cluster's quotas", () => {
  it("let a usual cluster be", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ network: { zones, nat: "perZone" } })).toEqual([]);
  });

  it("refuse more elastic addresses than an account has, unless it has more", () => {
    const change = { network: { zones, nat: "perZone" }, controlPlane: { fixedAddresses: true } };
    expect(problems({ ...change, network: { zones, nat: "perZone" } })).toEqual([
      expect.stringMatching(
        /^quotas.elasticAddresses: the cluster takes 6 elastic addresses, 3 for NAT and 3 fixed ones, and AWS allows 5 per region/,
      ),
    ]);
    expect(
      problems({ ...change, network: { zones, nat: "perZone" }, quotas: { elasticAddresses: 6 } }),
    ).toEqual([]);
  });

  it("refuse more inbound rules than a group has room for", () => {
    const workerPools = { apps: { machineCount: 60 } };
    expect(problems({ workerPools })).toEqual([
      expect.stringMatching(
        /^quotas.inboundRulesPerGroup: the security group loadBalancer gets \d+ inbound rules, and AWS allows 60/,
      ),
    ]);
    expect(problems({ workerPools, quotas: { inboundRulesPerGroup: 100 } })).toEqual([]);
    const inside = { apps: { machineCount: 60, subnets: "private" as const } };
    expect(problems({ workerPools: inside })).toEqual([]);
    expect(problems({ quotas: { inboundRulesPerGroup: 0 } })).toEqual([
      "quotas.inboundRulesPerGroup: 0 is not allowed: give a whole number from 1 to 1000",
    ]);
  });

  it.each<[string, Partial<TalosClusterArgs>]>([
    ["a public entrance", {}],
    ["no load balancer", { exposure: "direct" }],
    ["NAT", { network: { zones, nat: "perZone" } }],
  ])("count what a cluster with %s really makes", async (_what, change) => {
    const args = { ...standardCluster, workerPools: { apps: { machineCount: 2 } }, ...change };
    const { graph } = await build(() => new TalosCluster("c", args));
    const rules = graph.ofType("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule");
    const ofGroup = (group: string) =>
      rules.filter(({ inputs }) => inputs.securityGroupId === `c-firewall-${group}-id`).length;
    expect(countInboundRules(args)).toEqual({
      controlPlane: ofGroup("control-plane"),
      worker: ofGroup("worker"),
      loadBalancer: ofGroup("load-balancer"),
    });
  });
});
