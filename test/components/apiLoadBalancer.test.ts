import { ApiLoadBalancer } from "../../components/apiLoadBalancer";
import { build, valueOf } from "./mockedGraph";

const args = { vpcId: "vpc-1", subnetIds: ["subnet-1", "subnet-2"], securityGroupId: "sg-1" };

describe("ApiLoadBalancer", () => {
  it("passes TCP on port 6443 to machines without posing as the client", async () => {
    const { value, graph } = await build(() => new ApiLoadBalancer("c-api", args));
    expect(graph.named("aws:lb/loadBalancer:LoadBalancer", "c-api-lb").inputs).toEqual({
      loadBalancerType: "network",
      internal: false,
      subnets: ["subnet-1", "subnet-2"],
      securityGroups: ["sg-1"],
      enableCrossZoneLoadBalancing: true,
      enableDeletionProtection: false,
      tags: { Name: "c-api" },
    });
    expect(graph.named("aws:lb/targetGroup:TargetGroup", "c-api-tg").inputs).toMatchObject({
      port: 6443,
      protocol: "TCP",
      targetType: "instance",
      preserveClientIp: "false",
      healthCheck: { protocol: "TCP", port: "6443" },
    });
    expect(graph.named("aws:lb/listener:Listener", "c-api-listener").inputs).toMatchObject({
      loadBalancerArn: "arn:c-api-lb",
      port: 6443,
      protocol: "TCP",
      defaultActions: [{ type: "forward", targetGroupArn: "arn:c-api-tg" }],
    });
    expect(await valueOf(value.dnsName)).toBe("c-api-lb.elb.example");
    expect(await valueOf(value.targetGroupArn)).toBe("arn:c-api-tg");
  });

  it("can be internal and protected", async () => {
    const { graph } = await build(
      () => new ApiLoadBalancer("c-api", { ...args, internal: true, deletionProtection: true }),
    );
    expect(graph.named("aws:lb/loadBalancer:LoadBalancer", "c-api-lb").inputs).toMatchObject({
      internal: true,
      enableDeletionProtection: true,
    });
  });

  it.each([
    ["x".repeat(22), /at most 21 fit/],
    ["a.b", /letters, digits and dashes/],
    ["internal-api", /internal-/],
  ])("refuses the name %s", async (name, reason) => {
    await expect(build(() => new ApiLoadBalancer(name, args))).rejects.toThrow(reason);
    await expect(build(() => new ApiLoadBalancer("x".repeat(21), args))).resolves.toBeDefined();
  });
});
