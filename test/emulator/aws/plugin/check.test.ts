import { checkResource } from "../../../../emulator/aws/plugin/check";
import type { ResourceKind } from "../../../../emulator/aws/plugin/resourceKind";
import { resourceKinds } from "../../../../emulator/aws/plugin/resources/resourceKinds";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { UNKNOWN } from "../../../../provider/base/unknown";

const context = { pulumiName: "nodes", randomSeed: Uint8Array.from([1, 2, 3]) };

function kindOf(type: string): ResourceKind {
  const kind = resourceKinds.get(type);
  if (kind === undefined) {
    throw new Error(`there is no ${type}`);
  }
  return kind;
}

const group = kindOf("aws:ec2/securityGroup:SecurityGroup");
const vpc = kindOf("aws:ec2/vpc:Vpc");
const scaling = kindOf("aws:autoscaling/group:Group");

describe("checkResource", () => {
  it("generates a name as Pulumi does, and keeps it", () => {
    const first = checkResource(group, {}, { vpcId: "vpc-1" }, context);
    expect(first.failures).toEqual([]);
    expect(first.inputs.name).toMatch(/^nodes-[0-9a-f]{7}$/);
    expect(first.inputs.__defaults).toContain("name");
    const other = { ...context, randomSeed: Uint8Array.from([9]) };
    const second = checkResource(group, first.inputs, { vpcId: "vpc-1" }, other);
    expect(second.inputs.name).toBe(first.inputs.name);
  });

  it("uses a given name, and generates one when it is removed", () => {
    const given = checkResource(group, {}, { vpcId: "vpc-1", name: "mine" }, context);
    expect(given.inputs.name).toBe("mine");
    expect(given.inputs.__defaults).not.toContain("name");
    const later = checkResource(group, given.inputs, { vpcId: "vpc-1" }, context);
    expect(later.inputs.name).toMatch(/^nodes-[0-9a-f]{7}$/);
  });

  it("uses the name from the engine's autonaming rules", () => {
    const proposed = { ...context, proposedName: "prod-nodes" };
    expect(checkResource(group, {}, {}, proposed).inputs.name).toBe("prod-nodes");
  });

  it("reports a generated name that is too long", () => {
    const balancer = kindOf("aws:lb/loadBalancer:LoadBalancer");
    const { failures } = checkResource(
      balancer,
      {},
      { loadBalancerType: "network", subnets: ["subnet-1"] },
      { ...context, pulumiName: "a-name-of-many-characters-and-more" },
    );
    expect(failures).toEqual([
      { property: "name", reason: expect.stringContaining("AWS allows 32") as unknown },
    ]);
  });

  it("reports a number below the provider's smallest", () => {
    const requirements = { vcpuCount: { min: 2 }, memoryMib: { min: 1_024 } };
    const failuresWith = (acceleratorCount: Values) => {
      const overrides = [{ instanceRequirements: { ...requirements, acceleratorCount } }];
      const launchTemplate = { launchTemplateSpecification: {}, overrides };
      const given = { minSize: 0, maxSize: 1, mixedInstancesPolicy: { launchTemplate } };
      const { failures } = checkResource(scaling, {}, given, context);
      return failures.map(({ reason }) => reason);
    };
    expect(failuresWith({ min: 0, max: 0 })).toEqual([
      expect.stringMatching(/acceleratorCount.min to be at least \(1\), got 0/),
    ]);
    expect(failuresWith({ max: 0 })).toEqual([]);
  });

  it("fills in defaults and lists them", () => {
    expect(checkResource(vpc, {}, { cidrBlock: "10.0.0.0/16" }, context).inputs).toEqual({
      cidrBlock: "10.0.0.0/16",
      enableDnsSupport: true,
      __defaults: ["enableDnsSupport"],
    });
  });

  it.each([
    ["cidrIpv4", ["/32", "", "10.0.0.1", "10.0.0.1/24", "10.0.0.0/33", "2001:db8::/32"]],
    ["cidrIpv6", ["/128", "", "2001:db8::1/64", "10.0.0.0/8"]],
  ])("refuses a %s of a rule that is no range, as the provider's validators do", (name, wrong) => {
    for (const kind of ["Ingress", "Egress"].map((each) =>
      kindOf(`aws:vpc/securityGroup${each}Rule:SecurityGroup${each}Rule`),
    )) {
      const rule = (range: string) =>
        checkResource(
          kind,
          {},
          { securityGroupId: "sg-1", ipProtocol: "-1", [name]: range },
          context,
        );
      for (const range of wrong) {
        const { failures } = rule(range);
        expect(failures.map(({ property }) => property)).toEqual([name]);
        expect(failures[0]?.reason).toContain(`"${range}"`);
      }
      expect(rule(name === "cidrIpv4" ? "10.0.0.7/32" : "2001:db8::7/128").failures).toEqual([]);
      expect(rule(name === "cidrIpv4" ? "0.0.0.0/0" : "::/0").failures).toEqual([]);
      expect(rule(UNKNOWN).failures).toEqual([]);
    }
  });

  it("refuses an A record without an address, as Route 53 does", () => {
    const record = (records: string[], type = "A") =>
      checkResource(
        kindOf("aws:route53/record:Record"),
        {},
        { zoneId: "Z1", name: "k8s", type, ttl: 60, records },
        context,
      ).failures.map(({ property }) => property);
    expect(record([""])).toEqual(["records"]);
    expect(record(["10.0.0.1", ""])).toEqual(["records"]);
    expect(record([])).toEqual(["records"]);
    expect(record(["10.0.0.1"])).toEqual([]);
    expect(record(["text"], "TXT")).toEqual([]);
  });

  it("reports all problems at once", () => {
    const { failures } = checkResource(
      kindOf("aws:ec2/instance:Instance"),
      {},
      {
        ami: "ami-1",
        cpuOptions: { coreCount: 2 },
        vpcSecurityGroupIds: "sg-1",
        rootBlockDevice: { volumeSize: "20", colour: "red" },
      },
      context,
    );
    expect(failures.map(({ property }) => property).sort()).toEqual([
      "cpuOptions",
      "instanceType",
      "rootBlockDevice.colour",
      "rootBlockDevice.volumeSize",
      "vpcSecurityGroupIds",
    ]);
    expect(failures.find(({ property }) => property === "cpuOptions")?.reason).toContain(
      'does not know the property "cpuOptions" of aws:ec2/instance:Instance; it knows ami,',
    );
  });

  it("judges only known values", () => {
    const { inputs, failures } = checkResource(
      kindOf("aws:route53/record:Record"),
      {},
      { zoneId: UNKNOWN, name: "api", type: "A", records: UNKNOWN, aliases: UNKNOWN },
      context,
    );
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ zoneId: UNKNOWN, records: UNKNOWN });
  });

  it("applies rules over several properties", () => {
    const { failures } = checkResource(
      kindOf("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"),
      {},
      { securityGroupId: "sg-1", ipProtocol: "-1" },
      context,
    );
    expect(failures).toEqual([
      { property: "cidrIpv4", reason: expect.stringContaining("exactly one of") as unknown },
    ]);
  });

  it("writes a policy given as an object as JSON", () => {
    const policy = kindOf("aws:iam/rolePolicy:RolePolicy");
    const document = { Version: "2012-10-17", Statement: [] };
    expect(checkResource(policy, {}, { role: "a", policy: document }, context).inputs.policy).toBe(
      JSON.stringify(document),
    );
    const unknown = { Version: "2012-10-17", Statement: [{ Resource: UNKNOWN }] };
    expect(checkResource(policy, {}, { role: "a", policy: unknown }, context).inputs.policy).toBe(
      UNKNOWN,
    );
  });
});
