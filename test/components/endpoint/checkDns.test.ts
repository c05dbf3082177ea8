import { checkDnsRecord, dnsNameProblem } from "../../../components/endpoint/checkDns";

const standard = {
  recordName: "k8s.sandbox.example.com",
  zoneName: "example.com",
  adoptsById: false,
  createZone: false,
};

describe("dnsNameProblem", () => {
  it.each(["example.com", "a.b-c.d1", "xn--bcher-kva.example"])("accepts %s", (name) => {
    expect(dnsNameProblem(name)).toBeUndefined();
  });

  it.each(["Example.com", "example.com.", "-a.example", "a_b.example", "", "a..b"])(
    "rejects %p",
    (name) => {
      expect(dnsNameProblem(name)).toMatch(/is no domain name/);
    },
  );

  it("rejects a single label and a name that is too long", () => {
    expect(dnsNameProblem("localhost")).toMatch(/in full/);
    expect(dnsNameProblem(`${"a.".repeat(126)}aa`)).toMatch(/253/);
  });
});

describe("checkDnsRecord", () => {
  it("accepts a zone that contains the name", () => {
    expect(checkDnsRecord(standard)).toEqual([]);
    expect(checkDnsRecord({ ...standard, zoneName: standard.recordName })).toEqual([]);
  });

  it.each(["xample.com", "example.org", "other.example.com"])("rejects the zone %s", (zoneName) => {
    expect(checkDnsRecord({ ...standard, zoneName })).toEqual([
      { property: "zoneName", reason: expect.stringContaining(zoneName) as string },
    ]);
  });

  it("rejects adopting and creating a zone at once", () => {
    const problems = checkDnsRecord({ ...standard, adoptsById: true, createZone: true });
    expect(problems.map(({ property }) => property)).toEqual(["createZone"]);
  });
});
