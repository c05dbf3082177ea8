import { Firewall } from "../../components/firewall";
import { planFirewallRules } from "../../components/planFirewallRules";
import { build } from "./mockedGraph";

const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule";
const GROUP = "aws:ec2/securityGroup:SecurityGroup";
const args = { clusterName: "prod", vpcId: "vpc-1", operatorCidrs: ["203.0.113.0/24"] };

describe("Firewall", () => {
  it("makes one resource for each planned rule, and no rule in a group itself", async () => {
    const { graph } = await build(() => new Firewall("fw", args));
    const plan = planFirewallRules({
      ...args,
      allowWorldToKubernetesApi: false,
      internalLoadBalancer: false,
    });
    const rules = [...graph.ofType(INGRESS), ...graph.ofType(EGRESS)];
    expect(rules.map(({ name }) => name).sort()).toEqual(plan.map(({ key }) => `fw-${key}`).sort());
    for (const { inputs } of graph.ofType(GROUP)) {
      expect(Object.keys(inputs).sort()).toEqual(["description", "tags", "vpcId"]);
    }
  });

  it("maps ports and peers of rules", async () => {
    const { graph } = await build(() => new Firewall("fw", args));
    expect(
      graph.named(INGRESS, "fw-control-plane-tcp-2379-2380-from-control-plane").inputs,
    ).toEqual({
      securityGroupId: "fw-control-plane-id",
      referencedSecurityGroupId: "fw-control-plane-id",
      ipProtocol: "tcp",
      fromPort: 2379,
      toPort: 2380,
      description: "etcd: its clients and members",
      tags: { Name: "fw-control-plane-tcp-2379-2380-from-control-plane" },
    });
    expect(
      graph.named(INGRESS, "fw-control-plane-tcp-50000-from-203.0.113.0-24").inputs,
    ).toMatchObject({ cidrIpv4: "203.0.113.0/24", fromPort: 50000, toPort: 50000 });
    expect(graph.named(EGRESS, "fw-worker-all-to-0.0.0.0-0").inputs).toMatchObject({
      securityGroupId: "fw-worker-id",
      cidrIpv4: "0.0.0.0/0",
      ipProtocol: "-1",
    });
  });

  it("opens neither a port to the world nor SSH", async () => {
    const { graph } = await build(() => new Firewall("fw", args));
    for (const { inputs } of graph.ofType(INGRESS)) {
      expect(inputs.cidrIpv4).not.toBe("0.0.0.0/0");
      expect(Number(inputs.fromPort)).toBeGreaterThan(22);
      expect(inputs.ipProtocol).not.toBe("-1");
    }
  });

  it("tags one group of a machine with the cluster, and not the load balancer's", async () => {
    const { graph } = await build(() => new Firewall("fw", args));
    const tagged = graph
      .ofType(GROUP)
      .filter(({ inputs }) => "kubernetes.io/cluster/prod" in (inputs.tags as object));
    expect(tagged.map(({ name }) => name)).toEqual(["fw-control-plane", "fw-worker"]);
  });

  it("leaves rules alone when a range is added before them", async () => {
    const one = await build(() => new Firewall("fw", args));
    const operatorCidrs = ["192.0.2.0/24", ...args.operatorCidrs];
    const two = await build(() => new Firewall("fw", { ...args, operatorCidrs }));
    for (const { type, name, inputs } of one.graph.resources) {
      expect(two.graph.named(type, name).inputs).toEqual(inputs);
    }
  });

  it("refuses the world as operator", async () => {
    const operatorCidrs = ["0.0.0.0/0"];
    await expect(build(() => new Firewall("fw", { ...args, operatorCidrs }))).rejects.toThrow(
      /operatorCidrs\[0\]: "0.0.0.0\/0" opens the port to the world/,
    );
  });
});
