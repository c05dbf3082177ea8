import { Firewall } from "../../../components/firewall/firewall";
import type { FirewallArgs } from "../../../components/firewall/firewallArgs";
import { planFirewallRules } from "../../../components/firewall/planFirewallRules";
import { build, valueOf } from "../mockedGraph";

const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule";
const GROUP = "aws:ec2/securityGroup:SecurityGroup";
const args = { clusterName: "prod", vpcId: "vpc-1", operatorCidrs: ["203.0.113.0/24"] };
const make = (change: Partial<FirewallArgs> = {}) =>
  build(() => new Firewall("fw", { ...args, ...change }));

describe("Firewall", () => {
  it("creates one resource per planned rule, and no inline rules", async () => {
    const change = { cni: "calico", kubeSpan: true, monitoring: ["kubelet"] } as const;
    const { graph } = await make(change);
    const plan = planFirewallRules({ ...args, ...change });
    const rules = [...graph.ofType(INGRESS), ...graph.ofType(EGRESS)];
    expect(rules.map(({ name }) => name).sort()).toEqual(plan.map(({ key }) => `fw-${key}`).sort());
    for (const { inputs } of graph.ofType(GROUP)) {
      expect(Object.keys(inputs).sort()).toEqual(["description", "tags", "vpcId"]);
    }
  });

  it("has names that never change", async () => {
    const { graph } = await make();
    expect(graph.identities()).toEqual(
      [
        `${GROUP} fw-control-plane`,
        `${GROUP} fw-load-balancer`,
        `${GROUP} fw-worker`,
        `${EGRESS} fw-control-plane-all-to-0.0.0.0-0`,
        `${EGRESS} fw-load-balancer-tcp-6443-to-control-plane`,
        `${EGRESS} fw-worker-all-to-0.0.0.0-0`,
        `${INGRESS} fw-control-plane-tcp-10250-from-control-plane`,
        `${INGRESS} fw-control-plane-tcp-2379-2380-from-control-plane`,
        `${INGRESS} fw-control-plane-tcp-50000-from-203.0.113.0-24`,
        `${INGRESS} fw-control-plane-tcp-50000-from-control-plane`,
        `${INGRESS} fw-control-plane-tcp-50001-from-control-plane`,
        `${INGRESS} fw-control-plane-tcp-50001-from-worker`,
        `${INGRESS} fw-control-plane-tcp-6443-from-control-plane`,
        `${INGRESS} fw-control-plane-tcp-6443-from-load-balancer`,
        `${INGRESS} fw-control-plane-tcp-6443-from-worker`,
        `${INGRESS} fw-control-plane-udp-4789-from-control-plane`,
        `${INGRESS} fw-control-plane-udp-4789-from-worker`,
        `${INGRESS} fw-load-balancer-tcp-6443-from-203.0.113.0-24`,
        `${INGRESS} fw-worker-tcp-10250-from-control-plane`,
        `${INGRESS} fw-worker-tcp-50000-from-control-plane`,
        `${INGRESS} fw-worker-udp-4789-from-control-plane`,
        `${INGRESS} fw-worker-udp-4789-from-worker`,
        "talos-aws:index:Firewall fw",
      ].sort(),
    );
  });

  it("maps ports and peers of rules", async () => {
    const { graph } = await make({
      cni: "cilium",
      ipv6: true,
      extraRules: {
        bastion: {
          group: "controlPlane",
          protocol: "tcp",
          ports: { from: 50000, to: 50000 },
          from: { securityGroupId: "sg-bastion" },
          description: "Bastion",
        },
      },
    });
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
    expect(graph.named(EGRESS, "fw-worker-all-to-any-ipv6").inputs).toMatchObject({
      cidrIpv6: "::/0",
      ipProtocol: "-1",
    });
    expect(graph.named(INGRESS, "fw-worker-icmp-8-from-worker").inputs).toMatchObject({
      ipProtocol: "icmp",
      fromPort: 8,
      toPort: 0,
    });
    expect(graph.named(INGRESS, "fw-extra-bastion").inputs).toMatchObject({
      securityGroupId: "fw-control-plane-id",
      referencedSecurityGroupId: "sg-bastion",
      fromPort: 50000,
      toPort: 50000,
    });
  });

  it("writes IP-in-IP by its protocol number, without ports", async () => {
    const { graph } = await make({ cni: "calico" });
    const { inputs } = graph.named(INGRESS, "fw-worker-ipip-from-worker");
    expect(inputs).toMatchObject({ ipProtocol: "4" });
    expect(Object.keys(inputs)).not.toEqual(expect.arrayContaining(["fromPort"]));
  });

  it("opens neither SSH nor any port to the world", async () => {
    const { graph } = await make({ cni: "cilium", kubeSpan: true, monitoring: ["controlPlane"] });
    for (const { inputs } of graph.ofType(INGRESS)) {
      expect(inputs.cidrIpv4).not.toBe("0.0.0.0/0");
      expect(inputs.fromPort).not.toBe(22);
      expect(inputs.ipProtocol).not.toBe("-1");
    }
  });

  it("tags one security group per machine with the cluster, and not the load balancer's", async () => {
    const { graph } = await make();
    const tagged = graph
      .ofType(GROUP)
      .filter(({ inputs }) => "kubernetes.io/cluster/prod" in (inputs.tags as object));
    expect(tagged.map(({ name }) => name)).toEqual(["fw-control-plane", "fw-worker"]);
  });

  it("does not change other rules when a range or option is added", async () => {
    const one = await make();
    const two = await make({
      operatorCidrs: ["192.0.2.0/24", ...args.operatorCidrs],
      kubeSpan: true,
      ipv6: true,
      monitoring: ["kubelet", "nodeExporter"],
    });
    for (const { type, name, inputs } of one.graph.resources) {
      expect(two.graph.named(type, name).inputs).toEqual(inputs);
    }
  });

  it("adopts existing groups, and adds rules to them only on request", async () => {
    const adopt = {
      controlPlaneGroupId: "sg-1",
      workerGroupId: "sg-2",
      loadBalancerGroupId: "sg-3",
    };
    const { value, graph } = await make({ adopt });
    expect(graph.identities()).toEqual(["talos-aws:index:Firewall fw"]);
    expect(await valueOf(value.workerGroupId)).toBe("sg-2");
    const ruled = await make({ adopt: { ...adopt, makeRules: true } });
    expect(ruled.graph.ofType(GROUP)).toEqual([]);
    expect(
      ruled.graph.named(INGRESS, "fw-worker-tcp-10250-from-control-plane").inputs,
    ).toMatchObject({ securityGroupId: "sg-2", referencedSecurityGroupId: "sg-1" });
  });

  it("rejects the world as operatorCidrs", async () => {
    await expect(make({ operatorCidrs: ["0.0.0.0/0"] })).rejects.toThrow(
      /operatorCidrs\[0\]: "0.0.0.0\/0" opens the port to the world/,
    );
  });
});
