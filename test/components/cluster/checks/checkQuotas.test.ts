import * as pulumi from "@pulumi/pulumi";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../../components/cluster/arguments/talosClusterArgs";
import {
  checkQuotas,
  countInboundRules,
  countProcessors,
} from "../../../../components/cluster/checks/checkQuotas";
import {
  type AskQuota,
  findQuotaProblems,
  whenWithinQuotas,
} from "../../../../components/cluster/makers/whenWithinQuotas";
import { TalosCluster } from "../../../../components/cluster/talosCluster";
import { virtualProcessors } from "../../../../components/machines/instanceType";
import { groupNameProblem } from "../../../../components/nameRules";
import { build, valueOf } from "../../mockedGraph";
import { standardCluster } from "../standardCluster";

const zones = ["us-east-1a", "us-east-1b", "us-east-1c"];
const problems = (change: Partial<TalosClusterArgs>) =>
  checkQuotas(chooseAddOns({ ...standardCluster, ...change })).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );

describe("a cluster's quotas", () => {
  it("accept a usual cluster", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ network: { zones, nat: "perZone" } })).toEqual([]);
  });

  it("reject more elastic addresses than declared", () => {
    const network = { zones, nat: "perZone" as const };
    const change = { network, controlPlane: { fixedAddresses: true } };
    expect(problems({ ...change, quotas: { elasticAddresses: 5 } })).toEqual([
      expect.stringMatching(
        /^quotas.elasticAddresses: the cluster takes 6 elastic addresses, 3 for NAT and 3 fixed ones, and AWS allows 5 per region/,
      ),
    ]);
    expect(problems({ ...change, quotas: { elasticAddresses: 6 } })).toEqual([]);
  });

  it("reject more inbound rules of a security group than declared", () => {
    const workerPools = { apps: { machineCount: 60 } };
    expect(problems({ workerPools, quotas: { inboundRulesPerGroup: 60 } })).toEqual([
      expect.stringMatching(
        /^quotas.inboundRulesPerGroup: the security group loadBalancer gets \d+ inbound rules, and AWS allows 60/,
      ),
    ]);
    expect(problems({ workerPools, quotas: { inboundRulesPerGroup: 100 } })).toEqual([]);
    const inside = { apps: { machineCount: 60, subnets: "private" as const } };
    expect(problems({ workerPools: inside, quotas: { inboundRulesPerGroup: 60 } })).toEqual([]);
    expect(problems({ quotas: { inboundRulesPerGroup: 0 } })).toEqual([
      "quotas.inboundRulesPerGroup: 0 is not allowed: give a whole number from 1 to 1000",
    ]);
  });

  it("count the rules of a load balancer in front of a pool: each port for each range", () => {
    const clientCidrs = Array.from({ length: 31 }, (_, index) => `10.${index}.0.0/16`);
    const listeners = {
      http: { port: 80, targetPort: 30_080 },
      https: { port: 443, targetPort: 30_443 },
    };
    const rules = (ingress: object) =>
      problems({
        workerPools: { web: { machineCount: 1, ingress: { listeners, ...ingress } } },
        quotas: { inboundRulesPerGroup: 60 },
      });
    expect(rules({ clientCidrs })).toEqual([
      expect.stringMatching(
        /^quotas.inboundRulesPerGroup: the security group web-ingress gets 62 inbound rules, and AWS allows 60: name fewer ranges/,
      ),
    ]);
    expect(rules({ clientCidrs: clientCidrs.slice(1) })).toEqual([]);
    expect(rules({ allowWorld: true })).toEqual([]);
  });

  it("reject more virtual processors than declared, counting groups at their maximum", () => {
    const workerPools: TalosClusterArgs["workerPools"] = {
      fixed: { machineCount: 2, instanceType: "m6i.4xlarge" },
      spot: {
        instanceType: "c6a.large",
        autoScaling: {
          minSize: 0,
          maxSize: 10,
          onDemandBaseSize: 2,
          onDemandPercentage: 25,
          moreInstanceTypes: ["c6a.xlarge"],
        },
      },
      graphics: { machineCount: 4, instanceType: "g5.xlarge" },
    };
    const change = { workerPools, controlPlane: { instanceType: "t3.medium", machineCount: 1 } };
    expect(countProcessors({ ...standardCluster, ...change })).toEqual({
      onDemand: 2 + 2 * 16 + (2 + 2) * 4,
      spot: 6 * 4,
    });
    expect(countProcessors({ ...standardCluster, ...change }, "g")).toEqual({
      onDemand: 16,
      spot: 0,
    });
    expect(problems(change)).toEqual([]);
    expect(problems({ ...change, quotas: { onDemandGVcpus: 15 } })).toEqual([
      expect.stringMatching(
        /^quotas.onDemandGVcpus: the cluster has up to 16 virtual processors of on-demand machines of G types, and AWS allows 15: .*L-DB2E81BA/,
      ),
    ]);
    expect(problems({ ...change, quotas: { onDemandVcpus: 50, spotVcpus: 24 } })).toEqual([]);
    expect(problems({ ...change, quotas: { onDemandVcpus: 49, spotVcpus: 23 } })).toEqual([
      expect.stringMatching(
        /^quotas.onDemandVcpus: the cluster has up to 50 virtual processors of on-demand machines, and AWS allows 49: .*L-1216C47A/,
      ),
      expect.stringMatching(/^quotas.spotVcpus: .* 24 virtual processors of spot .*L-34B43A08/),
    ]);
  });

  it("ask the account for the quotas that aren't declared, and say both at once", async () => {
    const workerPools: TalosClusterArgs["workerPools"] = {
      spot: { autoScaling: { minSize: 0, maxSize: 10, onDemandPercentage: 0 } },
    };
    const standard = chooseAddOns(standardCluster);
    const args = chooseAddOns({ ...standardCluster, workerPools });
    const asked: string[] = [];
    const tell =
      (most: number | undefined): AskQuota =>
      ({ code }) => {
        asked.push(code);
        return Promise.resolve(most);
      };
    const notes: string[] = [];
    const note = (line: string) => void notes.push(line);
    expect(await findQuotaProblems(args, tell(5), note)).toEqual([
      expect.stringMatching(
        /^the cluster has up to 6 virtual processors of on-demand .* allows 5:/,
      ),
      expect.stringMatching(/^the cluster has up to 20 virtual processors of spot .* allows 5:/),
    ]);
    expect(asked.splice(0)).toEqual(["L-1216C47A", "L-34B43A08"]);
    expect(await findQuotaProblems(args, tell(20), note)).toEqual([]);
    expect(await findQuotaProblems(args, tell(undefined), note)).toEqual([]);
    const declared = { ...args, quotas: { onDemandVcpus: 100, spotVcpus: 100 } };
    asked.splice(0);
    expect(await findQuotaProblems(declared, tell(5), note)).toEqual([]);
    expect(await findQuotaProblems(standard, tell(6), note)).toEqual([]);
    expect(asked).toEqual(["L-1216C47A"]);
    const refusal = () => Promise.reject(new Error("AccessDenied"));
    expect(await findQuotaProblems(standard, refusal, note)).toEqual([]);
    expect(notes).toEqual([
      "can't ask for the quota L-1216C47A, so declare quotas.onDemandVcpus: AccessDenied",
    ]);
  });

  it("ask the account for rules and addresses only beyond what is usual, which also counts without an answer", async () => {
    const args: TalosClusterArgs = {
      ...standardCluster,
      network: { zones, nat: "perZone" },
      controlPlane: { fixedAddresses: true, machineCount: 3 },
      workerPools: { apps: { machineCount: 60 } },
      quotas: { onDemandVcpus: 1_000 },
    };
    const asked: string[] = [];
    const raised =
      (rules: number | undefined, addresses: number | undefined): AskQuota =>
      ({ serviceCode, code }) => {
        asked.push(`${serviceCode} ${code}`);
        return Promise.resolve(serviceCode === "vpc" ? rules : addresses);
      };
    const problemsOf = (ask: AskQuota) =>
      findQuotaProblems(chooseAddOns(args), ask, () => undefined);
    const exceeding = (rules: number, addresses: number): unknown[] => [
      expect.stringMatching(new RegExp(`loadBalancer gets \\d+ inbound .* allows ${rules}:`)),
      expect.stringMatching(new RegExp(`takes 6 elastic addresses, .* allows ${addresses} per`)),
    ];
    expect(await problemsOf(raised(61, 5))).toEqual(exceeding(61, 5));
    expect(asked).toEqual(["vpc L-0EA8095F", "ec2 L-0263D0A3"]);
    expect(await problemsOf(raised(120, 10))).toEqual([]);
    expect(await problemsOf(raised(undefined, undefined))).toEqual(exceeding(60, 5));
    const refusal = () => Promise.reject(new Error("NoSuchResourceException"));
    expect(await problemsOf(refusal)).toEqual(exceeding(60, 5));
  });

  it.each([true, false])(
    "are asked before a machine is made, in a preview: %s",
    async (preview) => {
      const asked: unknown[] = [];
      const { value } = await build(
        () => {
          const parent = new pulumi.ComponentResource("test:index:Parent", "parent");
          return valueOf(
            whenWithinQuotas(pulumi.output("ami-1"), chooseAddOns(standardCluster), parent),
          );
        },
        {
          calls: {
            "aws:servicequotas/getServiceQuota:getServiceQuota": (inputs) => {
              asked.push(inputs);
              return { value: 64 };
            },
          },
          preview,
        },
      );
      expect(value).toBe("ami-1");
      expect(asked).toEqual([{ serviceCode: "ec2", quotaCode: "L-1216C47A" }]);
    },
  );

  it("refuse names that EC2 has for ids", async () => {
    const refusal = build(() => new TalosCluster("sg-main", standardCluster));
    await expect(refusal).rejects.toThrow(/"sg-main-firewall-control-plane" can't name a security/);
    expect(groupNameProblem("a/b (c)")).toBeUndefined();
    expect(groupNameProblem("a?b")).toMatch(/EC2 allows letters/);
    expect(groupNameProblem("a".repeat(248))).toMatch(/has a name of 248 characters/);
  });

  it.each<[string, number | undefined]>([
    ["t3.micro", 2],
    ["t3.xlarge", 4],
    ["m7g.medium", 1],
    ["m6i.large", 2],
    ["m6i.32xlarge", 128],
    ["m6i.metal", undefined],
  ])("%s has %s virtual processors", (type, count) => {
    expect(virtualProcessors(type)).toBe(count);
  });

  it("reject names that are too long for IAM, all at once", async () => {
    const name = "a-cluster-with-a-name-that-is-long-as-such";
    const args = {
      ...standardCluster,
      exposure: "direct" as const,
      irsa: true,
      addOns: { cloudController: true, loadBalancerController: true },
      workerPools: { apps: { machineCount: 1, role: { statements: [] } } },
    };
    const refusal = build(() => new TalosCluster(name, args));
    await expect(refusal).rejects.toThrow(
      /the role "a-cluster[a-z-]*-control-plane-role" has a name of 61 characters, and IAM has room for 56/,
    );
    await expect(refusal).rejects.toThrow(/the role "a-cluster[a-z-]*-load-balancer-controller"/);
    const fine = build(() => new TalosCluster("c", args));
    await expect(fine).resolves.toBeDefined();
  });

  it.each<[string, Partial<TalosClusterArgs>]>([
    ["a public entrance", {}],
    ["no load balancer", { exposure: "direct" }],
    ["NAT", { network: { zones, nat: "perZone" } }],
  ])("count the resources that a cluster with %s creates", async (_what, change) => {
    const args = { ...standardCluster, workerPools: { apps: { machineCount: 2 } }, ...change };
    const { graph } = await build(() => new TalosCluster("c", args));
    const rules = graph.ofType("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule");
    const ofGroup = (group: string) =>
      rules.filter(({ inputs }) => inputs.securityGroupId === `c-firewall-${group}-id`).length;
    expect(countInboundRules(chooseAddOns(args))).toEqual({
      controlPlane: ofGroup("control-plane"),
      worker: ofGroup("worker"),
      loadBalancer: ofGroup("load-balancer"),
    });
  });
});
