import {
  checkNetwork,
  privateZoneKeys,
  publicZoneKeys,
  workerRangeZoneKeys,
} from "../../../components/network/checkNetwork";
import type { NetworkChoices } from "../../../components/network/networkArgs";
import type {
  FlowLogTraffic,
  GatewayService,
  InterfaceService,
} from "../../../components/network/networkArgs";
import type { NatStrategy } from "../../../components/network/planNatGateways";

const ranges = { podCidrs: ["10.244.0.0/16"], serviceCidrs: ["10.96.0.0/12"] };
const standard = { cidrBlock: "10.0.0.0/16", ...ranges };

type Refusal = readonly [string, Partial<NetworkChoices>, string, RegExp];

describe("checkNetwork", () => {
  const zoned = { ...standard, zones: ["us-east-1a"] };

  it.each<Refusal>([
    ["no zone", { zones: undefined }, "zones", /name them/],
    ["an empty list", { zones: [] }, "zones", /can't span 0 zones/],
    ["no availability zone", { zones: ["us-east-1"] }, "zones[0]", /"us-east-1"/],
    ["a local zone", { zones: ["us-east-1-bos-1a"] }, "zones[0]", /local zones/],
    ["a zone id", { zones: ["use1-az1"] }, "zones[0]", /zone ids/],
    ["two regions", { zones: ["us-east-1a", "us-west-2a"] }, "zones[1]", /another region/],
    ["a zone twice", { zones: ["us-east-1a", "us-east-1a"] }, "zones[1]", /named twice/],
    ["too many", { zones: undefined, zoneCount: 7 }, "zoneCount", /7 zones/],
    ["a fraction", { zones: undefined, zoneCount: 1.5 }, "zoneCount", /1.5 zones/],
    ["both ways", { zoneCount: 1 }, "zoneCount", /mutually exclusive/],
    ["too large", { cidrBlock: "10.0.0.0/15" }, "cidrBlock", /larger than \/16/],
    ["too small", { cidrBlock: "10.0.0.0/25" }, "cidrBlock", /smaller than \/24/],
    ["another NAT", { nat: "many" as NatStrategy }, "nat", /take one of none, single, perZone/],
    ["NAT for nobody", { nat: "single", privateSubnets: false }, "privateSubnets", /leave out one/],
    ["a zone without NAT", { natZone: "us-east-1a" }, "natZone", /set nat to "single"/],
    ["an unknown zone", { nat: "single", natZone: "us-east-1b" }, "natZone", /has "us-east-1a"/],
    ["no endpoint", { gatewayEndpoints: ["ecr" as GatewayService] }, "gatewayEndpoints[0]", /s3/],
    ["endpoints twice", { gatewayEndpoints: ["s3", "s3"] }, "gatewayEndpoints[1]", /named twice/],
    [
      "an endpoint of no known service",
      { interfaceEndpoints: ["iam" as InterfaceService] },
      "interfaceEndpoints[0]",
      /"iam" is no service .* autoscaling, ec2/,
    ],
    [
      "an endpoint that is a gateway",
      { interfaceEndpoints: ["ec2", "s3" as InterfaceService] },
      "interfaceEndpoints[1]",
      /"s3" has a gateway endpoint, which is free: name it in gatewayEndpoints/,
    ],
    [
      "a second range that is too large",
      { workerCidrBlock: "100.64.0.0/10" },
      "workerCidrBlock",
      /larger than \/16/,
    ],
    [
      "a second range of another private block",
      { workerCidrBlock: "192.168.0.0/16" },
      "workerCidrBlock",
      /adds no range of "192.168.0.0\/16" to a network of "10.0.0.0\/16": take one of "100.64/,
    ],
    [
      "a second range that AWS keeps for itself",
      { cidrBlock: "10.1.0.0/16", workerCidrBlock: "10.0.0.0/16" },
      "workerCidrBlock",
      /adds no range of "10.0.0.0\/16" to a network of "10.1.0.0\/16": take one of "100.64/,
    ],
    [
      "another one",
      { cidrBlock: "172.16.0.0/20", workerCidrBlock: "172.31.0.0/20" },
      "workerCidrBlock",
      /adds no range of "172.31.0.0\/16" to a network of "172.16.0.0\/20"/,
    ],
    [
      "a second range that overlaps the first",
      { workerCidrBlock: "10.0.128.0/17" },
      "workerCidrBlock",
      /of workers overlaps the range "10.0.0.0\/16" of machines/,
    ],
    [
      "a second range that overlaps pods",
      { workerCidrBlock: "10.244.0.0/16" },
      "podCidrs[0]",
      /of pods overlaps the range "10.244.0.0\/16" of workers/,
    ],
    [
      "NAT without internet",
      { internetAccess: false, nat: "single" },
      "nat",
      /internetAccess is false/,
    ],
    [
      "no subnets at all",
      { internetAccess: false, privateSubnets: false },
      "privateSubnets",
      /private subnets only/,
    ],
    [
      "keeps logs for a time that CloudWatch doesn't have",
      { flowLogs: { retentionDays: 31 } },
      "flowLogs.retentionDays",
      /for 31 days: take one of 1, 3, /,
    ],
    [
      "encrypts logs with what is no key",
      { flowLogs: { kmsKeyArn: "alias/logs" } },
      "flowLogs.kmsKeyArn",
      /"alias\/logs" is no ARN of kms/,
    ],
    [
      "says how long a group that is there keeps logs",
      { flowLogs: { logGroupArn: "a", retentionDays: 30 } },
      "flowLogs.retentionDays",
      /logGroupArn names one that is there/,
    ],
    [
      "logs in two places",
      { flowLogs: { bucketArn: "a", logGroupArn: "b" } },
      "flowLogs",
      /have one destination/,
    ],
    [
      "an odd interval",
      { flowLogs: { bucketArn: "a", intervalSeconds: 61 } },
      "flowLogs.intervalSeconds",
      /61 seconds/,
    ],
    [
      "odd traffic",
      { flowLogs: { bucketArn: "a", traffic: "ACCEPT" as FlowLogTraffic } },
      "flowLogs.traffic",
      /accepted/,
    ],
    [
      "overlapping pods",
      { podCidrs: ["10.0.64.0/18"] },
      "podCidrs[0]",
      /"10.0.0.0\/16" of machines/,
    ],
    ["overlapping services", { serviceCidrs: ["10.0.0.0/8"] }, "serviceCidrs[0]", /overlaps/],
    ["pods on services", { podCidrs: ["10.97.0.0/16"] }, "serviceCidrs[0]", /of pods/],
  ])("rejects %s", (_what, change, property, reason) => {
    expect(checkNetwork({ ...zoned, ...change })).toEqual([
      { property, reason: expect.stringMatching(reason) as string },
    ]);
  });

  it("reports all problems at once", () => {
    const problems = checkNetwork({
      cidrBlock: "10.0.0.7/16",
      zones: ["here", "us-east-1a", "us-east-1a"],
      podCidrs: ["pods"],
      serviceCidrs: ["10.96.0.0/12", "10.100.0.0/16"],
    });
    expect(problems.map(({ property }) => property)).toEqual([
      "zones[0]",
      "zones[1]",
      "zones[2]",
      "cidrBlock",
      "podCidrs[0]",
      "serviceCidrs[1]",
    ]);
  });

  it.each<Partial<NetworkChoices>>([
    {},
    { nat: "perZone" },
    { nat: "single", natZone: "us-east-1a", privateSubnets: true },
    { privateSubnets: true, ipv6: true, gatewayEndpoints: ["s3", "dynamodb"] },
    { internetAccess: false, interfaceEndpoints: ["ec2", "ecr.api"], gatewayEndpoints: ["s3"] },
    { workerCidrBlock: "100.64.0.0/16" },
    { workerCidrBlock: "10.1.0.0/20" },
    { cidrBlock: "172.16.0.0/20", workerCidrBlock: "172.17.0.0/16" },
    { flowLogs: { logGroupArn: "arn:aws:logs:us-east-1:1:log-group:flows", traffic: "rejected" } },
  ])("accepts %j", (change) => {
    expect(checkNetwork({ ...zoned, ...change })).toEqual([]);
  });

  it("accepts an existing network, and no option that would change it", () => {
    const publicSubnetIds = { "us-east-1a": "subnet-1" };
    const adopt = { vpcId: "vpc-1", publicSubnetIds };
    expect(checkNetwork({ ...ranges, adopt })).toEqual([]);
    const problems = checkNetwork({ ...zoned, nat: "single", ipv6: true, adopt });
    expect(problems.map(({ property }) => property)).toEqual(["cidrBlock", "zones", "nat", "ipv6"]);
    expect(checkNetwork({ ...ranges, adopt: { vpcId: "vpc-1" } })).toEqual([
      { property: "adopt.publicSubnetIds", reason: expect.stringMatching(/no subnet/) as string },
    ]);
    const abroad = { ...adopt, privateSubnetIds: { "us-west-2a": "subnet-2", b: "subnet-3" } };
    expect(checkNetwork({ ...ranges, adopt: abroad }).map(({ property }) => property)).toEqual([
      `adopt.privateSubnetIds["us-west-2a"]`,
      `adopt.privateSubnetIds["b"]`,
    ]);
  });

  it("accepts the NAT addresses of an adopted network by its private zones", () => {
    const privateSubnetIds = { "us-east-1a": "subnet-1", "us-east-1b": "subnet-2" };
    const natAddresses = { "us-east-1a": "203.0.113.7", "us-east-1b": "203.0.113.7" };
    const adopt = { vpcId: "vpc-1", privateSubnetIds, natAddresses };
    expect(checkNetwork({ ...ranges, adopt })).toEqual([]);
    const wrong = { "us-east-1a": "nat-0123", "us-east-1c": "203.0.113.7" };
    expect(checkNetwork({ ...ranges, adopt: { ...adopt, natAddresses: wrong } })).toEqual([
      {
        property: `adopt.natAddresses["us-east-1a"]`,
        reason: expect.stringMatching(/"nat-0123" is no IPv4 address/) as string,
      },
      {
        property: `adopt.natAddresses["us-east-1c"]`,
        reason: expect.stringMatching(/no private subnet is given in "us-east-1c"/) as string,
      },
    ]);
  });

  it("takes endpoints of an adopted network only if they are its one way to AWS", () => {
    const privateSubnetIds = { "us-east-1a": "subnet-1" };
    const adopt = { vpcId: "vpc-1", privateSubnetIds, endpoints: ["s3", "ec2"] as const };
    expect(checkNetwork({ ...ranges, adopt, internetAccess: false })).toEqual([]);
    expect(checkNetwork({ ...ranges, adopt })).toEqual([
      {
        property: "adopt.endpoints",
        reason: expect.stringMatching(/set internetAccess false/) as string,
      },
    ]);
    const endpoints: InterfaceService[] = ["ec2", "iam" as InterfaceService];
    const strange = { ...adopt, endpoints };
    const problems = checkNetwork({ ...ranges, adopt: strange, internetAccess: false });
    expect(problems.map(({ property }) => property)).toEqual(["adopt.endpoints[1]"]);
  });

  it("judges the ranges of pods and services beside an adopted network", () => {
    const adopt = { vpcId: "vpc-1", publicSubnetIds: { "us-east-1a": "subnet-1" } };
    expect(checkNetwork({ ...ranges, podCidrs: ["10.97.0.0/16"], adopt })).toEqual([
      { property: "serviceCidrs[0]", reason: expect.stringMatching(/of pods/) as string },
    ]);
  });
});

describe("publicZoneKeys", () => {
  it("are those of the zones, or of the public subnets that are adopted", () => {
    expect(publicZoneKeys({ zones: ["us-east-1a", "us-east-1c"] })).toEqual([
      "us-east-1a",
      "us-east-1c",
    ]);
    expect(publicZoneKeys({ zoneCount: 2 })).toEqual(["1", "2"]);
    const adopt = { vpcId: "vpc-1", publicSubnetIds: { "us-east-1b": "subnet-1" } };
    expect(publicZoneKeys({ adopt })).toEqual(["us-east-1b"]);
    expect(publicZoneKeys({ adopt: { vpcId: "vpc-1" } })).toEqual([]);
  });
});

describe("the zones of each tier", () => {
  const zones = ["us-east-1a", "us-east-1c"];

  it("are private only without internet", () => {
    expect(publicZoneKeys({ zones, internetAccess: false })).toEqual([]);
    expect(privateZoneKeys({ zones, internetAccess: false })).toEqual(zones);
    expect(privateZoneKeys({ zones })).toEqual([]);
  });

  it("are also in the second range, if there is one", () => {
    expect(workerRangeZoneKeys({ zones })).toEqual([]);
    expect(workerRangeZoneKeys({ zones, workerCidrBlock: "100.64.0.0/16" })).toEqual(zones);
  });
});
