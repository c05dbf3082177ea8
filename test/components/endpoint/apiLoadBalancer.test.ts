import * as pulumi from "@pulumi/pulumi";
import { ApiLoadBalancer } from "../../../components/endpoint/apiLoadBalancer";
import { build, valueOf } from "../mockedGraph";

const args = { vpcId: "vpc-1", subnetIds: ["subnet-1", "subnet-2"], securityGroupId: "sg-1" };

describe("ApiLoadBalancer", () => {
  it("forwards TCP on port 6443 to machines without preserving the client's address", async () => {
    const { value, graph } = await build(() => new ApiLoadBalancer("c-api", args));
    expect(graph.named("aws:lb/loadBalancer:LoadBalancer", "c-api-lb").inputs).toEqual({
      loadBalancerType: "network",
      internal: false,
      ipAddressType: "ipv4",
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

  it("has its own target groups, which are deleted with it", async () => {
    const { graph } = await build(() => new ApiLoadBalancer("c-api", { ...args, talosApi: true }));
    const groups = graph.ofType("aws:lb/targetGroup:TargetGroup");
    expect(groups.map(({ name }) => name).sort()).toEqual(["c-api-talos", "c-api-tg"]);
    const balancer = graph.named("aws:lb/loadBalancer:LoadBalancer", "c-api-lb");
    for (const { replaceWith, replacementTrigger } of groups) {
      expect([replaceWith, replacementTrigger]).toEqual([[balancer.urn], "arn:c-api-lb"]);
    }
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

  it("forwards the Talos API on request", async () => {
    const { value, graph } = await build(
      () => new ApiLoadBalancer("c-int", { ...args, internal: true, talosApi: true }),
    );
    expect(graph.named("aws:lb/targetGroup:TargetGroup", "c-int-talos").inputs).toMatchObject({
      port: 50000,
      preserveClientIp: "false",
      healthCheck: { protocol: "TCP", port: "50000" },
    });
    expect(graph.named("aws:lb/listener:Listener", "c-int-talos-listener").inputs).toMatchObject({
      port: 50000,
      defaultActions: [{ type: "forward", targetGroupArn: "arn:c-int-talos" }],
    });
    expect(Object.keys(value.targets)).toEqual(["api", "talos"]);
    const quiet = await build(() => new ApiLoadBalancer("c-api", args));
    expect(Object.keys(quiet.value.targets)).toEqual(["api"]);
    expect(quiet.graph.ofType("aws:lb/listener:Listener")).toHaveLength(1);
  });

  it("keeps idle connections for the given time, on each port", async () => {
    const told = { ...args, talosApi: true, idleTimeoutSeconds: 3_600 };
    const { graph } = await build(() => new ApiLoadBalancer("c-int", told));
    const timeouts = graph
      .ofType("aws:lb/listener:Listener")
      .map(({ inputs }) => inputs.tcpIdleTimeoutSeconds);
    expect(timeouts).toEqual([3_600, 3_600]);
    const { graph: plain } = await build(() => new ApiLoadBalancer("c-api", args));
    const { inputs } = plain.named("aws:lb/listener:Listener", "c-api-listener");
    expect(inputs.tcpIdleTimeoutSeconds).toBe(350);
    await expect(
      build(() => new ApiLoadBalancer("a.b", { ...args, idleTimeoutSeconds: 59 })),
    ).rejects.toThrow(/name: "a.b"[^]*idleTimeoutSeconds: 59 is not allowed: .* 60 to 6000/);
  });

  it("has IPv6 addresses on request", async () => {
    const { graph } = await build(() => new ApiLoadBalancer("c", { ...args, dualStack: true }));
    expect(graph.named("aws:lb/loadBalancer:LoadBalancer", "c-lb").inputs).toMatchObject({
      ipAddressType: "dualstack",
    });
  });

  it.each([
    ["v1.13", undefined, { protocol: "TCP", port: "6443" }],
    ["v1.13", "answering", { protocol: "HTTPS", path: "/readyz", matcher: "200-401" }],
    ["v1.14", undefined, { protocol: "TCP", port: "6443" }],
    ["v1.14", "listening", { protocol: "TCP" }],
  ] as const)(
    "checks machines of contract %s, given %p, with %p",
    async (contract, check, expected) => {
      const versionContract = pulumi.output(contract);
      const choice = check === undefined ? {} : { healthCheck: check };
      const { graph } = await build(
        () => new ApiLoadBalancer("c", { ...args, versionContract, ...choice }),
      );
      expect(graph.named("aws:lb/targetGroup:TargetGroup", "c-tg").inputs).toMatchObject({
        healthCheck: expected,
      });
    },
  );

  it("rejects health checks that the machines don't support, with all problems", async () => {
    const wrong = { ...args, versionContract: "v1.12", healthCheck: "ready" as const };
    await expect(build(() => new ApiLoadBalancer("a.b", wrong))).rejects.toThrow(
      /name: "a.b"[^]*healthCheck: "ready" can't be asked of machines of contract "v1.12"/,
    );
  });

  it.each([
    ["answering", "v1.13", "v1.14.1"],
    ["ready", "v1.14", undefined],
    ["ready", "v1.13", "v1.14.1"],
  ] as const)(
    "rejects %p of contract %s on Talos %s, because AWS' health checks speak no TLS 1.3",
    async (healthCheck, versionContract, talosVersion) => {
      const wrong = {
        ...args,
        versionContract,
        healthCheck,
        ...(talosVersion && { talosVersion }),
      };
      await expect(build(() => new ApiLoadBalancer("c", wrong))).rejects.toThrow(
        /healthCheck: "\w+" can't be asked of machines with Talos v1\.14 or newer: .*TLS 1\.3.*take "listening"/,
      );
    },
  );

  it("allows only a shorter name with the Talos API", async () => {
    const name = "x".repeat(19);
    await expect(
      build(() => new ApiLoadBalancer(name, { ...args, talosApi: true })),
    ).rejects.toThrow(/at most 18 fit/);
  });

  it.each([
    ["x".repeat(22), /at most 21 fit/],
    ["a.b", /letters, digits and dashes/],
    ["internal-api", /internal-/],
  ])("rejects the name %s", async (name, reason) => {
    await expect(build(() => new ApiLoadBalancer(name, args))).rejects.toThrow(reason);
    await expect(build(() => new ApiLoadBalancer("x".repeat(21), args))).resolves.toBeDefined();
  });
});
