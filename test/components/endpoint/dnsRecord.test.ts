import * as aws from "@pulumi/aws";
import {
  DnsRecord,
  type DnsRecordArgs,
  findHostedZone,
} from "../../../components/endpoint/dnsRecord";
import { build, valueOf } from "../mockedGraph";

const RECORD = "aws:route53/record:Record";
const args: DnsRecordArgs = {
  recordName: "k8s.sandbox.example.com",
  zoneName: "example.com",
  loadBalancerDnsName: "lb.elb.example",
  loadBalancerZoneId: "Z0ELB",
};

describe("DnsRecord", () => {
  it("is an alias of the load balancer in the existing zone, with its health", async () => {
    const asked: unknown[] = [];
    const { value, graph } = await build(() => new DnsRecord("dns", args), {
      calls: {
        "aws:route53/getZone:getZone": (inputs) => {
          asked.push(inputs);
          return { zoneId: "Z0FOUND", nameServers: ["ns-1.example"] };
        },
      },
    });
    expect(asked).toEqual([{ name: "example.com", privateZone: false }]);
    expect(graph.named(RECORD, "dns-alias").inputs).toEqual({
      zoneId: "Z0FOUND",
      name: "k8s.sandbox.example.com",
      type: "A",
      aliases: [{ name: "lb.elb.example", zoneId: "Z0ELB", evaluateTargetHealth: true }],
    });
    expect(await valueOf(value.nameServers)).toEqual(["ns-1.example"]);
  });

  it("adopts a zone by its id", async () => {
    const { graph } = await build(() => new DnsRecord("dns", { ...args, zoneId: "Z0MINE" }));
    expect(graph.named(RECORD, "dns-alias").inputs.zoneId).toBe("Z0MINE");
  });

  it("creates a zone and outputs its name servers", async () => {
    const { value, graph } = await build(
      () => new DnsRecord("dns", { ...args, zoneName: "sandbox.example.com", createZone: true }),
    );
    expect(graph.named("aws:route53/zone:Zone", "dns-zone").inputs).toMatchObject({
      name: "sandbox.example.com",
    });
    expect(graph.named(RECORD, "dns-alias").inputs.zoneId).toBe("Z0MADE");
    expect(await valueOf(value.nameServers)).toEqual(["ns-9.awsdns-99.org"]);
  });

  it("has an IPv6 record on request", async () => {
    const { graph } = await build(() => new DnsRecord("dns", { ...args, dualStack: true }));
    const { aliases } = graph.named(RECORD, "dns-alias").inputs;
    expect(graph.named(RECORD, "dns-alias-ipv6").inputs).toMatchObject({ type: "AAAA", aliases });
  });

  it("contains addresses if there is no load balancer, as the same resource", async () => {
    const { recordName, zoneName } = args;
    const addresses = ["198.51.100.1", "198.51.100.2"];
    const { graph } = await build(() => new DnsRecord("dns", { recordName, zoneName, addresses }));
    expect(graph.named(RECORD, "dns-alias").inputs).toEqual({
      zoneId: "Z0FOUND",
      name: recordName,
      type: "A",
      ttl: 60,
      records: addresses,
    });
  });

  it("creates a private zone of a network", async () => {
    const { graph } = await build(
      () =>
        new DnsRecord("dns", {
          ...args,
          zoneName: args.recordName,
          createZone: true,
          privateVpcId: "vpc-1",
        }),
    );
    expect(graph.named("aws:route53/zone:Zone", "dns-zone").inputs).toMatchObject({
      name: "k8s.sandbox.example.com",
      vpcs: [{ vpcId: "vpc-1" }],
    });
  });

  it("adopts the private zone of a network", async () => {
    const asked: unknown[] = [];
    await build(() => new DnsRecord("dns", { ...args, privateVpcId: "vpc-1" }), {
      calls: {
        "aws:route53/getZone:getZone": (inputs) => {
          asked.push(inputs);
          return { zoneId: "Z0PRIVATE", nameServers: [] };
        },
      },
    });
    expect(asked).toEqual([{ name: "example.com", privateZone: true, vpcId: "vpc-1" }]);
  });

  it("writes into another account's zone with that account's provider", async () => {
    const { graph } = await build(() => {
      const provider = new aws.Provider("dns-account", { region: "us-east-1" });
      return new DnsRecord("dns", { ...args, createZone: true }, { provider });
    });
    for (const resource of [
      graph.named(RECORD, "dns-alias"),
      graph.named("aws:route53/zone:Zone", "dns-zone"),
    ]) {
      expect(resource.provider).toContain("dns-account");
    }
  });

  it.each([
    [{}, /addresses: the record has no target/],
    [{ loadBalancerDnsName: "lb.example" }, /loadBalancerZoneId: .* go together/],
    [{ loadBalancerZoneId: "Z0ELB" }, /loadBalancerDnsName: .* go together/],
    [
      { loadBalancerDnsName: "lb.example", loadBalancerZoneId: "Z0ELB", addresses: ["1.1.1.1"] },
      /addresses: .* mutually exclusive/,
    ],
    [{ addresses: ["1.1.1.1"], dualStack: true }, /dualStack: addresses are IPv4 ones/],
  ])("rejects %p as an address", async (answers, reason) => {
    const { recordName, zoneName } = args;
    await expect(
      build(() => new DnsRecord("dns", { recordName, zoneName, ...answers })),
    ).rejects.toThrow(reason);
  });

  it("rejects a zone that can't contain the name", async () => {
    const zoneName = "example.org";
    await expect(build(() => new DnsRecord("dns", { ...args, zoneName }))).rejects.toThrow(
      /zoneName: the zone "example.org" can't hold/,
    );
  });
});

describe("findHostedZone", () => {
  const miss = () => Promise.reject(new Error("no matching zone"));

  it("says what it searched and what to do if the zone doesn't exist", async () => {
    await expect(findHostedZone({ zoneName: "example.com" }, miss)).rejects.toThrow(
      /can't find the public hosted zone "example.com".*no matching zone; .*createZone/,
    );
    await expect(findHostedZone({ zoneId: "Z0MINE" }, miss)).rejects.toThrow(
      /can't find the hosted zone Z0MINE/,
    );
    await expect(findHostedZone({ zoneName: "example.com", vpcId: "vpc-1" }, miss)).rejects.toThrow(
      /can't find the private hosted zone "example.com" of vpc-1/,
    );
  });
});
