import { checkResource } from "../../../../emulator/aws/plugin/check";
import { diffResource, type ResourceDiff } from "../../../../emulator/aws/plugin/diff";
import type { ResourceKind } from "../../../../emulator/aws/plugin/resourceKind";
import { resourceKinds } from "../../../../emulator/aws/plugin/resources/resourceKinds";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { UNKNOWN } from "../../../../provider/base/unknown";

const context = { pulumiName: "demo", randomSeed: new Uint8Array(32) };

function kindOf(type: string): ResourceKind {
  const kind = resourceKinds.get(type);
  if (kind === undefined) {
    throw new Error(`there is no ${type}`);
  }
  return kind;
}

/** The diff between two sets of inputs as a program gives them, both checked first. */
function diff(type: string, before: Values, after: Values, state: Values = {}): ResourceDiff {
  const kind = kindOf(type);
  const olds = checkResource(kind, {}, before, context).inputs;
  const news = checkResource(kind, olds, after, context).inputs;
  return diffResource(kind, { inputs: olds, state: { ...olds, ...state } }, news, {});
}

/** Paths that differ; those that replace end in an exclamation mark. */
function paths(result: ResourceDiff): string[] {
  return Object.entries(result.changes)
    .map(([path, { replaces }]) => (replaces ? `${path}!` : path))
    .sort();
}

/** A machine that was stopped starts with another public address. */
const NEW_ADDRESS = ["publicDns", "publicIp"];
const instance: Values = { ami: "ami-1", instanceType: "m6i.large", subnetId: "subnet-1" };
const rule: Values = {
  securityGroupId: "sg-1",
  ipProtocol: "tcp",
  fromPort: 1,
  toPort: 2,
  cidrIpv4: "203.0.113.0/24",
};
const targets: Values = { port: 6443, protocol: "TCP", vpcId: "vpc-1" };
const group: Values = { minSize: 1, maxSize: 3 };
const refresh: Values = {
  minHealthyPercentage: 50,
  maxHealthyPercentage: 200,
  standbyInstances: "Wait",
};
const mixed = (launchTemplateSpecification: Values): Values => ({
  mixedInstancesPolicy: { launchTemplate: { launchTemplateSpecification } },
});
const balancer: Values = {
  loadBalancerType: "network",
  subnets: ["subnet-1", "subnet-2"],
  securityGroups: ["sg-1"],
};

interface Kept {
  readonly type: string;
  readonly base: Values;
  /** What a program gives, and AWS keeps when it is left out again. */
  readonly given: Values;
  /** What is left of a block. */
  readonly left?: Values;
}

const GROUP = "aws:autoscaling/group:Group";
const INSTANCE = "aws:ec2/instance:Instance";
const TARGETS = "aws:lb/targetGroup:TargetGroup";
const reservation = { capacityReservationPreference: "none" };
const interfaceEndpoint: Values = {
  vpcId: "vpc-1",
  serviceName: "com.amazonaws.a.ec2",
  vpcEndpointType: "Interface",
};

const KEPT: readonly Kept[] = [
  { type: GROUP, base: group, given: mixed({ version: "3" }), left: mixed({}) },
  { type: INSTANCE, base: instance, given: { monitoring: true } },
  { type: INSTANCE, base: instance, given: { placementGroup: "apart" } },
  {
    type: INSTANCE,
    base: instance,
    given: { rootBlockDevice: { iops: 4000, throughput: 250 } },
    left: { rootBlockDevice: {} },
  },
  { type: INSTANCE, base: instance, given: { capacityReservationSpecification: reservation } },
  {
    type: "aws:ec2/vpc:Vpc",
    base: { cidrBlock: "10.0.0.0/16" },
    given: { instanceTenancy: "dedicated" },
  },
  {
    type: "aws:ec2/vpcEndpoint:VpcEndpoint",
    base: interfaceEndpoint,
    given: { privateDnsEnabled: true },
  },
  { type: TARGETS, base: targets, given: { deregistrationDelay: 60 } },
  {
    type: TARGETS,
    base: targets,
    given: { healthCheck: { protocol: "HTTPS" } },
    left: { healthCheck: {} },
  },
];

describe("diffResource, of what 6.58 keeps", () => {
  it.each(KEPT)("sees no change of $type without $given", ({ type, base, given, left }) => {
    expect(paths(diff(type, { ...base, ...given }, { ...base, ...left }))).toEqual([]);
  });

  it.each(KEPT)("sees no change of $type that says what AWS chose: $given", (kept) => {
    const { type, base, given } = kept;
    const chosen = checkResource(kindOf(type), {}, { ...base, ...given }, context).inputs;
    expect(paths(diff(type, base, { ...base, ...given }, chosen))).toEqual([]);
  });
});

describe("diffResource, by the AWS provider's replace rules", () => {
  it.each<[string, string, Values, Values, string[]]>([
    [
      "a NAT gateway in another subnet",
      "aws:ec2/natGateway:NatGateway",
      { allocationId: "eipalloc-1", subnetId: "subnet-1" },
      { allocationId: "eipalloc-1", subnetId: "subnet-2" },
      ["subnetId!"],
    ],
    [
      "an endpoint with more route tables in another order",
      "aws:ec2/vpcEndpoint:VpcEndpoint",
      { vpcId: "vpc-1", serviceName: "com.amazonaws.a.s3", routeTableIds: ["rtb-1", "rtb-2"] },
      { vpcId: "vpc-1", serviceName: "com.amazonaws.a.s3", routeTableIds: ["rtb-2", "rtb-1"] },
      [],
    ],
    [
      "a flow log of other traffic",
      "aws:ec2/flowLog:FlowLog",
      { vpcId: "vpc-1", trafficType: "ALL", logDestination: "arn:aws:s3:::a" },
      { vpcId: "vpc-1", trafficType: "REJECT", logDestination: "arn:aws:s3:::a" },
      ["trafficType!"],
    ],
    [
      "another value of a tag",
      "aws:ec2/tag:Tag",
      { resourceId: "vpc-1", key: "a", value: "b" },
      { resourceId: "vpc-1", key: "a", value: "c" },
      ["value"],
    ],
    [
      "a first range of IPv6",
      "aws:ec2/subnet:Subnet",
      { vpcId: "vpc-1", cidrBlock: "10.0.0.0/24" },
      {
        vpcId: "vpc-1",
        cidrBlock: "10.0.0.0/24",
        ipv6CidrBlock: "2001:db8::/64",
        assignIpv6AddressOnCreation: true,
      },
      ["assignIpv6AddressOnCreation", "ipv6CidrBlock"],
    ],
    [
      "another range of IPv6, where machines have addresses",
      "aws:ec2/subnet:Subnet",
      {
        vpcId: "vpc-1",
        cidrBlock: "10.0.0.0/24",
        ipv6CidrBlock: "2001:db8::/64",
        assignIpv6AddressOnCreation: true,
      },
      {
        vpcId: "vpc-1",
        cidrBlock: "10.0.0.0/24",
        ipv6CidrBlock: "2001:db8:0:1::/64",
        assignIpv6AddressOnCreation: true,
      },
      ["ipv6CidrBlock!"],
    ],
    [
      "another image",
      "aws:ec2/instance:Instance",
      instance,
      { ...instance, ami: "ami-2" },
      ["ami!"],
    ],
    [
      "another subnet",
      "aws:ec2/instance:Instance",
      instance,
      { ...instance, subnetId: "subnet-2" },
      ["subnetId!"],
    ],
    [
      "another type of machine",
      "aws:ec2/instance:Instance",
      instance,
      { ...instance, instanceType: "m6i.xlarge" },
      ["instanceType", ...NEW_ADDRESS],
    ],
    [
      "an instance of another architecture",
      "aws:ec2/instance:Instance",
      instance,
      { ...instance, instanceType: "m7g.large" },
      ["instanceType!", ...NEW_ADDRESS],
    ],
    [
      "an instance type that isn't known yet",
      "aws:ec2/instance:Instance",
      { ...instance, instanceType: "m7g.large" },
      { ...instance, instanceType: UNKNOWN },
      ["instanceType", ...NEW_ADDRESS],
    ],
    [
      "an instance profile",
      "aws:ec2/instance:Instance",
      instance,
      { ...instance, iamInstanceProfile: "node" },
      ["iamInstanceProfile"],
    ],
    [
      "user data",
      "aws:ec2/instance:Instance",
      { ...instance, userDataBase64: "YQ==" },
      { ...instance, userDataBase64: "Yg==" },
      ["userDataBase64", ...NEW_ADDRESS],
    ],
    [
      "user data that is to replace",
      "aws:ec2/instance:Instance",
      { ...instance, userDataBase64: "YQ==", userDataReplaceOnChange: true },
      { ...instance, userDataBase64: "Yg==", userDataReplaceOnChange: true },
      ["userDataBase64!", ...NEW_ADDRESS],
    ],
    [
      "encryption of the root volume",
      "aws:ec2/instance:Instance",
      { ...instance, rootBlockDevice: { encrypted: false, volumeSize: 20 } },
      { ...instance, rootBlockDevice: { encrypted: true, volumeSize: 30 } },
      ["rootBlockDevice.encrypted!", "rootBlockDevice.volumeSize"],
    ],
    [
      "groups in another order",
      "aws:ec2/instance:Instance",
      { ...instance, vpcSecurityGroupIds: ["sg-1", "sg-2"] },
      { ...instance, vpcSecurityGroupIds: ["sg-2", "sg-1"] },
      [],
    ],
    [
      "a zone that is left out later",
      "aws:ec2/instance:Instance",
      { ...instance, availabilityZone: "us-east-1a" },
      instance,
      [],
    ],
    [
      "another network",
      "aws:ec2/vpc:Vpc",
      { cidrBlock: "10.0.0.0/16" },
      { cidrBlock: "10.1.0.0/16" },
      ["cidrBlock!"],
    ],
    [
      "a rule's source",
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
      rule,
      { ...rule, cidrIpv4: "198.51.100.0/24" },
      ["cidrIpv4"],
    ],
    [
      "a rule's group",
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
      rule,
      { ...rule, securityGroupId: "sg-2" },
      ["securityGroupId!"],
    ],
    [
      "one subnet more",
      "aws:lb/loadBalancer:LoadBalancer",
      balancer,
      { ...balancer, subnets: ["subnet-3", "subnet-2", "subnet-1"] },
      ["subnets"],
    ],
    [
      "as many other subnets",
      "aws:lb/loadBalancer:LoadBalancer",
      balancer,
      { ...balancer, subnets: ["subnet-1", "subnet-3"] },
      ["subnets!"],
    ],
    [
      "one subnet less",
      "aws:lb/loadBalancer:LoadBalancer",
      balancer,
      { ...balancer, subnets: ["subnet-1"] },
      ["subnets!"],
    ],
    [
      "another security group",
      "aws:lb/loadBalancer:LoadBalancer",
      balancer,
      { ...balancer, securityGroups: ["sg-2"] },
      ["securityGroups"],
    ],
    [
      "no security group any more",
      "aws:lb/loadBalancer:LoadBalancer",
      balancer,
      { ...balancer, securityGroups: [] },
      ["securityGroups!"],
    ],
    [
      "a policy that is only written otherwise",
      "aws:iam/rolePolicy:RolePolicy",
      { role: "node", policy: '{"Version":"2012-10-17","Statement":[]}' },
      { role: "node", policy: '{ "Statement": [], "Version": "2012-10-17" }' },
      [],
    ],
    [
      "an action of a listener",
      "aws:lb/listener:Listener",
      {
        loadBalancerArn: "lb",
        port: 1,
        defaultActions: [{ type: "forward", targetGroupArn: "a" }],
      },
      {
        loadBalancerArn: "lb",
        port: 1,
        defaultActions: [{ type: "forward", targetGroupArn: "b" }],
      },
      ["defaultActions[0].targetGroupArn"],
    ],
    [
      "the idle timeout of a listener",
      "aws:lb/listener:Listener",
      { loadBalancerArn: "lb", tcpIdleTimeoutSeconds: 350 },
      { loadBalancerArn: "lb", tcpIdleTimeoutSeconds: 3_600 },
      ["tcpIdleTimeoutSeconds"],
    ],
    [
      "a rule's kind of source",
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
      rule,
      { ...rule, cidrIpv4: null, referencedSecurityGroupId: "sg-3" },
      ["cidrIpv4!", "referencedSecurityGroupId!"],
    ],
    [
      "a subnet's other route table",
      "aws:ec2/routeTableAssociation:RouteTableAssociation",
      { subnetId: "subnet-1", routeTableId: "rtb-1" },
      { subnetId: "subnet-1", routeTableId: "rtb-2" },
      ["routeTableId"],
    ],
    [
      "a record of another type",
      "aws:route53/record:Record",
      { zoneId: "Z1", name: "api", type: "A", ttl: 60, records: ["192.0.2.1"] },
      { zoneId: "Z1", name: "api", type: "CNAME", ttl: 60, records: ["a.example.com"] },
      ["records", "type"],
    ],
    [
      "a network that gives up dedicated tenancy",
      "aws:ec2/vpc:Vpc",
      { cidrBlock: "10.0.0.0/16", instanceTenancy: "dedicated" },
      { cidrBlock: "10.0.0.0/16", instanceTenancy: "default" },
      ["instanceTenancy"],
    ],
    [
      "a network that takes dedicated tenancy",
      "aws:ec2/vpc:Vpc",
      { cidrBlock: "10.0.0.0/16" },
      { cidrBlock: "10.0.0.0/16", instanceTenancy: "dedicated" },
      ["instanceTenancy!"],
    ],
    [
      "names of a machine that nothing was said of",
      "aws:ec2/instance:Instance",
      instance,
      { ...instance, privateDnsNameOptions: { hostnameType: "resource-name" } },
      ["privateDnsNameOptions!"],
    ],
    [
      "another kind of name of a machine",
      "aws:ec2/instance:Instance",
      { ...instance, privateDnsNameOptions: { hostnameType: "ip-name" } },
      { ...instance, privateDnsNameOptions: { hostnameType: "resource-name" } },
      ["privateDnsNameOptions.hostnameType"],
    ],
    [
      "metadata options that are left out",
      "aws:ec2/instance:Instance",
      {
        ...instance,
        metadataOptions: { httpEndpoint: "disabled", httpProtocolIpv6: "enabled", httpTokens: "a" },
      },
      { ...instance, metadataOptions: {} },
      ["metadataOptions.httpEndpoint", "metadataOptions.httpProtocolIpv6"],
    ],
    [
      "a root volume that no longer is told to stay",
      "aws:ec2/instance:Instance",
      { ...instance, rootBlockDevice: { deleteOnTermination: false, volumeSize: 20 } },
      { ...instance, rootBlockDevice: { volumeSize: 20 } },
      ["rootBlockDevice.deleteOnTermination"],
    ],
    [
      "another size of another volume",
      "aws:ec2/instance:Instance",
      { ...instance, ebsBlockDevices: [{ deviceName: "/dev/sdf", volumeSize: 10 }] },
      { ...instance, ebsBlockDevices: [{ deviceName: "/dev/sdf", volumeSize: 20 }] },
      ["ebsBlockDevices[0].volumeSize!"],
    ],
    [
      "other tags of another volume, and another order",
      "aws:ec2/instance:Instance",
      {
        ...instance,
        ebsBlockDevices: [
          { deviceName: "/dev/sdf", tags: { a: "1" } },
          { deviceName: "/dev/sdg", volumeSize: 10 },
        ],
      },
      {
        ...instance,
        ebsBlockDevices: [
          { deviceName: "/dev/sdg", volumeSize: 10 },
          { deviceName: "/dev/sdf", tags: { a: "2" } },
        ],
      },
      ["ebsBlockDevices[1].tags.a"],
    ],
    [
      "one volume more, and one less",
      "aws:ec2/instance:Instance",
      { ...instance, ebsBlockDevices: [{ deviceName: "/dev/sdf", volumeSize: 10 }] },
      { ...instance, ebsBlockDevices: [{ deviceName: "/dev/sdg", volumeSize: 10 }] },
      ["ebsBlockDevices[0]!", "ebsBlockDevices[1]!"],
    ],
    [
      "no other volumes any more, as AWS tells of volumes that others attach",
      "aws:ec2/instance:Instance",
      { ...instance, ebsBlockDevices: [{ deviceName: "/dev/sdf", volumeSize: 10 }] },
      instance,
      [],
    ],
    [
      "a health check's settings that are left out",
      "aws:lb/targetGroup:TargetGroup",
      {
        ...targets,
        healthCheck: { protocol: "TCP", port: "6443", interval: 10, healthyThreshold: 2 },
      },
      { ...targets, healthCheck: { protocol: "TCP" } },
      ["healthCheck.healthyThreshold", "healthCheck.interval", "healthCheck.port"],
    ],
    [
      "preferences of a refresh that are left out",
      "aws:autoscaling/group:Group",
      { ...group, instanceRefresh: { strategy: "Rolling", preferences: refresh } },
      { ...group, instanceRefresh: { strategy: "Rolling", preferences: {} } },
      [
        "instanceRefresh.preferences.maxHealthyPercentage",
        "instanceRefresh.preferences.minHealthyPercentage",
        "instanceRefresh.preferences.standbyInstances",
      ],
    ],
    [
      "tags",
      "aws:ec2/vpc:Vpc",
      { cidrBlock: "10.0.0.0/16", tags: { a: "1", "k8s.io/b": "2" } },
      { cidrBlock: "10.0.0.0/16", tags: { a: "2", "k8s.io/c": "3" } },
      ['tags["k8s.io/b"]', 'tags["k8s.io/c"]', "tags.a"],
    ],
  ])("%s", (_, type, before, after, expected) => {
    const tagsAll = before.tags ?? {};
    expect(paths(diff(type, before, after, { tagsAll }))).toEqual(expected.sort());
  });

  it("shows a launch template's new version and new default version", () => {
    const type = "aws:ec2/launchTemplate:LaunchTemplate";
    const state = { tagsAll: {} };
    const before = { instanceType: "m6i.large" };
    const after = { instanceType: "m6i.xlarge" };
    expect(paths(diff(type, before, after, state))).toEqual(["instanceType", "latestVersion"]);
    const follows = { updateDefaultVersion: true };
    const edited = diff(type, { ...before, ...follows }, { ...after, ...follows }, state);
    expect(paths(edited)).toEqual(["defaultVersion", "instanceType", "latestVersion"]);
    expect(edited.changes.latestVersion?.inputDiffers).toBe(false);
    expect(paths(diff(type, before, { ...before, description: "a" }, state))).toEqual([
      "description",
    ]);
  });

  it("sees no change between equal inputs of any kind", () => {
    for (const kind of resourceKinds.values()) {
      const inputs = Object.fromEntries(
        Object.entries(kind.inputs)
          .filter(([, { required, type }]) => required === true && type === "string")
          .map(([name]) => [name, "x"]),
      );
      expect(paths(diff(kind.type, inputs, inputs, { tagsAll: {} }))).toEqual([]);
    }
  });

  // A release that says what was left out before changes nothing in what exists.
  it.each<[string, string, Values, Values, Values, string[]]>([
    [
      "a machine whose options are said as they are",
      "aws:ec2/instance:Instance",
      { ...instance, rootBlockDevice: { volumeType: "gp3" } },
      { monitoring: false, rootBlockDevice: { volumeType: "gp3", iops: 3_000, throughput: 125 } },
      {
        ...instance,
        monitoring: false,
        placementGroup: "",
        iamInstanceProfile: "",
        rootBlockDevice: { volumeType: "gp3", iops: 3_000, throughput: 125 },
      },
      [],
    ],
    [
      "a machine whose options are taken back",
      "aws:ec2/instance:Instance",
      {
        ...instance,
        monitoring: true,
        placementGroup: "pg",
        iamInstanceProfile: "p",
        rootBlockDevice: { volumeType: "gp3", iops: 6_000, throughput: 125 },
      },
      { rootBlockDevice: { volumeType: "gp3", iops: 6_000, throughput: 125 } },
      {
        ...instance,
        monitoring: false,
        placementGroup: "",
        iamInstanceProfile: "",
        rootBlockDevice: { volumeType: "gp3", iops: 3_000, throughput: 125 },
      },
      ["iamInstanceProfile", "monitoring", "placementGroup!", "rootBlockDevice.iops"],
    ],
    [
      "a machine whose options are left out",
      "aws:ec2/instance:Instance",
      {
        ...instance,
        monitoring: true,
        placementGroup: "pg",
        rootBlockDevice: { volumeType: "gp3", iops: 6_000 },
      },
      {},
      { ...instance, rootBlockDevice: { volumeType: "gp3" } },
      [],
    ],
    [
      "a load balancer whose logs are said to be off",
      "aws:lb/loadBalancer:LoadBalancer",
      balancer,
      { ipAddressType: "ipv4", accessLogs: { bucket: "", enabled: false } },
      { ...balancer, ipAddressType: "ipv4", accessLogs: { bucket: "", enabled: false } },
      [],
    ],
    [
      "a load balancer whose logs are left out",
      "aws:lb/loadBalancer:LoadBalancer",
      { ...balancer, accessLogs: { bucket: "b", enabled: true } },
      {},
      balancer,
      [],
    ],
    [
      "a load balancer whose logs are taken back",
      "aws:lb/loadBalancer:LoadBalancer",
      { ...balancer, accessLogs: { bucket: "b", enabled: true } },
      {},
      { ...balancer, accessLogs: { bucket: "", enabled: false } },
      ["accessLogs.bucket", "accessLogs.enabled"],
    ],
  ])("compares with the state: %s", (_, type, before, live, after, expected) => {
    expect(paths(diff(type, before, after, { ...live, tagsAll: {} }))).toEqual(expected);
  });

  it("treats an unknown value as a change", () => {
    expect(
      paths(
        diff(
          "aws:ec2/subnet:Subnet",
          { vpcId: "vpc-1", cidrBlock: "10.0.0.0/24" },
          { vpcId: UNKNOWN, cidrBlock: "10.0.0.0/24" },
          { tagsAll: {} },
        ),
      ),
    ).toEqual(["vpcId!"]);
  });

  it("detects missing default tags of the provider", () => {
    const kind = kindOf("aws:ec2/vpc:Vpc");
    const inputs = checkResource(kind, {}, { cidrBlock: "10.0.0.0/16" }, context).inputs;
    const before = { inputs, state: { ...inputs, tagsAll: {} } };
    expect(paths(diffResource(kind, before, inputs, { owner: "us" }))).toEqual(["tagsAll"]);
  });

  it("deletes first if a resource can't exist twice: a fixed name, a route", () => {
    const group = { vpcId: "vpc-1", name: "fixed" };
    const type = "aws:ec2/securityGroup:SecurityGroup";
    expect(diff(type, group, { ...group, vpcId: "vpc-2" }).deleteBeforeReplace).toBe(true);
    expect(diff(type, { vpcId: "vpc-1" }, { vpcId: "vpc-2" }).deleteBeforeReplace).toBe(false);
    const route = { routeTableId: "rtb-1", destinationCidrBlock: "0.0.0.0/0", gatewayId: "igw-1" };
    expect(
      diff("aws:ec2/route:Route", route, { ...route, destinationCidrBlock: "10.0.0.0/8" })
        .deleteBeforeReplace,
    ).toBe(true);
  });
});
