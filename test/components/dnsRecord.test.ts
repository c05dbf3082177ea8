import { DnsRecord, type DnsRecordArgs, findHostedZone } from "../../components/dnsRecord";
import { build, valueOf } from "./mockedGraph";

const RECORD = "aws:route53/record:Record";
const args: DnsRecordArgs = {
  recordName: "k8s.sandbox.example.com",
  zoneName: "example.com",
  loadBalancerDnsName: "lb.elb.example",
  loadBalancerZoneId: "Z0ELB",
};

describe("DnsRecord", () => {
  it("is an alias of the load balancer that follows its health, in the zone that is there", async () => {
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

  it("makes a zone and says who answers for it", async () => {
    const { value, graph } = await build(
      () => new DnsRecord("dns", { ...args, zoneName: "sandbox.example.com", createZone: true }),
    );
    expect(graph.named("aws:route53/zone:Zone", "dns-zone").inputs).toMatchObject({
      name: "sandbox.example.com",
    });
    expect(graph.named(RECORD, "dns-alias").inputs.zoneId).toBe("Z0MADE");
    expect(await valueOf(value.nameServers)).toEqual(["ns-9.awsdns-99.org"]);
  });

  it("refuses a zone that can't hold the name", async () => {
    const zoneName = "example.org";
    await expect(build(() => new DnsRecord("dns", { ...args, zoneName }))).rejects.toThrow(
      /zoneName: the zone "example.org" can't hold/,
    );
  });
});

describe("findHostedZone", () => {
  const miss = () => Promise.reject(new Error("no matching zone"));

  it("says what it searched and what to do when there is no such zone", async () => {
    await expect(findHostedZone({ zoneName: "example.com" }, miss)).rejects.toThrow(
      /can't find the public hosted zone "example.com".*no matching zone; .*createZone/,
    );
    await expect(findHostedZone({ zoneId: "Z0MINE" }, miss)).rejects.toThrow(
      /can't find the hosted zone Z0MINE/,
    );
  });
});
