import * as pulumi from "@pulumi/pulumi";
import { Network } from "../../../components/network/network";
import type { AdoptedNetworkArgs, NetworkArgs } from "../../../components/network/networkArgs";
import { build, valueOf } from "../mockedGraph";

const make = (args: Partial<NetworkArgs> = {}) =>
  build(() => new Network("net", { clusterName: "prod", zones: ["us-east-1a"], ...args }));

const SUBNET = "aws:ec2/subnet:Subnet";
const ROUTE = "aws:ec2/route:Route";
const NAT = "aws:ec2/natGateway:NatGateway";
const ASSOCIATION = "aws:ec2/routeTableAssociation:RouteTableAssociation";
const FLOW_LOG = "aws:ec2/flowLog:FlowLog";
const LOGS = "arn:aws:logs:us-east-1:123456789012:log-group:";
const ZONES = ["us-east-1a", "us-east-1b"];

const adopt = (change: Partial<AdoptedNetworkArgs>) =>
  build(
    () =>
      new Network("net", {
        clusterName: "prod",
        adopt: {
          vpcId: "vpc-1",
          publicSubnetIds: { "us-east-1a": "subnet-a" },
          privateSubnetIds: { "us-east-1b": "subnet-b" },
          ...change,
        },
      }),
    {
      calls: {
        "aws:ec2/getVpc:getVpc": () => ({
          cidrBlock: "10.0.0.0/16",
          cidrBlockAssociations: [],
          enableDnsSupport: true,
          enableDnsHostnames: true,
        }),
        "aws:ec2/getSubnet:getSubnet": ({ id }) => ({
          vpcId: "vpc-1",
          availabilityZone: id === "subnet-a" ? "us-east-1a" : "us-east-1b",
        }),
      },
    },
  );

describe("a preview that takes IPv6 from a network", () => {
  const errors = async (args: Partial<NetworkArgs>, ipv6CidrBlock: string) => {
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    try {
      await build(() => new Network("net", { clusterName: "prod", zones: ZONES, ...args }), {
        preview: true,
        recorded: ({ type }) => (type === "aws:ec2/vpc:Vpc" ? { ipv6CidrBlock } : undefined),
      });
      await new Promise(setImmediate);
      return told.mock.calls.map(([text]) => text);
    } finally {
      told.mockRestore();
    }
  };

  it("is refused, because AWS would stop half-way", async () => {
    expect(await errors({}, "2001:db8::/56")).toEqual([
      "the network has the IPv6 range 2001:db8::/56, and AWS can't take it away while subnets have a part of it: leave network.ipv6 set to true, or make another cluster without it",
    ]);
    expect(await errors({ ipv6: true }, "2001:db8::/56")).toEqual([]);
    expect(await errors({}, "")).toEqual([]);
  });
});

describe("Network", () => {
  it("is a VPC whose public subnets lead to the internet", async () => {
    const { value, graph } = await make({ zones: ["us-east-1a", "us-east-1b"] });

    expect(graph.identities()).toEqual([
      "aws:ec2/internetGateway:InternetGateway net-internet-gateway",
      "aws:ec2/route:Route net-public-internet",
      "aws:ec2/routeTable:RouteTable net-public",
      "aws:ec2/routeTableAssociation:RouteTableAssociation net-public-us-east-1a",
      "aws:ec2/routeTableAssociation:RouteTableAssociation net-public-us-east-1b",
      "aws:ec2/subnet:Subnet net-public-us-east-1a",
      "aws:ec2/subnet:Subnet net-public-us-east-1b",
      "aws:ec2/vpc:Vpc net-vpc",
      "talos-aws:index:Network net",
    ]);
    expect(graph.named("aws:ec2/vpc:Vpc", "net-vpc").inputs).toMatchObject({
      cidrBlock: "10.0.0.0/16",
      enableDnsHostnames: true,
      enableDnsSupport: true,
    });
    expect(graph.named("aws:ec2/route:Route", "net-public-internet").inputs).toEqual({
      routeTableId: "net-public-id",
      destinationCidrBlock: "0.0.0.0/0",
      gatewayId: "net-internet-gateway-id",
    });
    for (const { inputs, name } of graph.ofType(
      "aws:ec2/routeTableAssociation:RouteTableAssociation",
    )) {
      expect(inputs).toEqual({ subnetId: `${name}-id`, routeTableId: "net-public-id" });
    }
    expect(await valueOf(value.publicSubnetIds)).toEqual({
      "us-east-1a": "net-public-us-east-1a-id",
      "us-east-1b": "net-public-us-east-1b-id",
    });
  });

  it("keeps a zone's subnet when another zone is added before it", async () => {
    const one = await make({ zones: ["us-east-1b"] });
    const two = await make({ zones: ["us-east-1a", "us-east-1b"] });
    const name = "net-public-us-east-1b";
    expect(two.graph.named(SUBNET, name).inputs).toEqual(one.graph.named(SUBNET, name).inputs);
    expect(two.graph.identities()).toEqual(expect.arrayContaining(one.graph.identities()));
  });

  it("has tags by which controllers in the cluster find it, and accepts more tags", async () => {
    const { graph } = await make({ tags: { team: "storage" } });
    expect(graph.named(SUBNET, "net-public-us-east-1a").inputs.tags).toEqual({
      Name: "net-public-us-east-1a",
      "kubernetes.io/cluster/prod": "owned",
      "kubernetes.io/role/elb": "1",
      team: "storage",
    });
  });

  it("takes zones of the region by name, and keeps those of existing subnets", async () => {
    const { graph } = await build(() => new Network("net", { clusterName: "prod", zoneCount: 3 }));
    const subnets = graph.ofType(SUBNET);
    expect(subnets.map(({ name, inputs }) => [name, inputs.availabilityZone])).toEqual([
      ["net-public-1", "us-east-1a"],
      ["net-public-2", "us-east-1b"],
      ["net-public-3", "us-east-1c"],
    ]);
    expect(subnets.map(({ ignoreChanges }) => ignoreChanges)).toEqual(
      subnets.map(() => ["availabilityZone"]),
    );
  });

  it("has private subnets on request, with their own route tables and no route to the internet", async () => {
    const { value, graph } = await make({ zones: ZONES, privateSubnets: true });
    const { graph: plain } = await make({ zones: ZONES });
    const known = plain.identities();
    expect(graph.identities().filter((each) => !known.includes(each))).toEqual([
      "aws:ec2/routeTable:RouteTable net-private-us-east-1a",
      "aws:ec2/routeTable:RouteTable net-private-us-east-1b",
      "aws:ec2/routeTableAssociation:RouteTableAssociation net-private-us-east-1a",
      "aws:ec2/routeTableAssociation:RouteTableAssociation net-private-us-east-1b",
      "aws:ec2/subnet:Subnet net-private-us-east-1a",
      "aws:ec2/subnet:Subnet net-private-us-east-1b",
    ]);
    expect(graph.named(SUBNET, "net-private-us-east-1b").inputs).toMatchObject({
      cidrBlock: "10.0.144.0/20",
      availabilityZone: "us-east-1b",
      mapPublicIpOnLaunch: false,
      tags: {
        Name: "net-private-us-east-1b",
        "kubernetes.io/cluster/prod": "owned",
        "kubernetes.io/role/internal-elb": "1",
      },
    });
    expect(graph.named(ASSOCIATION, "net-private-us-east-1b").inputs).toEqual({
      subnetId: "net-private-us-east-1b-id",
      routeTableId: "net-private-us-east-1b-id",
    });
    expect(await valueOf(value.privateSubnetIds)).toEqual({
      "us-east-1a": "net-private-us-east-1a-id",
      "us-east-1b": "net-private-us-east-1b-id",
    });
    expect(await valueOf(value.natAddresses)).toEqual({});
  });

  it("routes private subnets through one NAT gateway, in the given zone", async () => {
    const { value, graph } = await make({ zones: ZONES, nat: "single", natZone: "us-east-1b" });
    expect(graph.ofType(NAT).map(({ name, inputs }) => [name, inputs.subnetId])).toEqual([
      ["net-nat", "net-public-us-east-1b-id"],
    ]);
    const gateway = graph.named(NAT, "net-nat");
    expect(gateway.inputs).toMatchObject({ allocationId: "net-nat-id" });
    expect(gateway.deleteBeforeReplace).toBe(true);
    expect(graph.before(gateway)).toContain(graph.named(ROUTE, "net-public-internet"));
    for (const zone of ZONES) {
      expect(graph.named(ROUTE, `net-private-${zone}-internet`).inputs).toEqual({
        routeTableId: `net-private-${zone}-id`,
        destinationCidrBlock: "0.0.0.0/0",
        natGatewayId: "net-nat-id",
      });
    }
    expect(await valueOf(value.natAddresses)).toEqual({
      "us-east-1a": "198.51.100.200",
      "us-east-1b": "198.51.100.200",
    });
  });

  it("keeps zones independent with a NAT gateway in each", async () => {
    const { graph } = await make({ zones: ZONES, nat: "perZone" });
    for (const zone of ZONES) {
      expect(graph.named(NAT, `net-nat-${zone}`).inputs).toMatchObject({
        subnetId: `net-public-${zone}-id`,
        allocationId: `net-nat-${zone}-id`,
      });
      expect(graph.named(ROUTE, `net-private-${zone}-internet`).inputs).toMatchObject({
        routeTableId: `net-private-${zone}-id`,
        natGatewayId: `net-nat-${zone}-id`,
      });
    }
  });

  it("changes no zone when another is added, for all options", async () => {
    const rich = { nat: "perZone", ipv6: true } as const;
    const one = await make({ zones: ["us-east-1b"], ...rich });
    const two = await make({ zones: ["us-east-1a", "us-east-1b"], ...rich });
    for (const { type, name, inputs } of one.graph.resources) {
      expect(two.graph.named(type, name).inputs).toEqual(inputs);
    }
  });

  it("changes only routes when NAT gateways become one for each zone", async () => {
    const single = await make({ zones: ZONES, nat: "single" });
    const perZone = await make({ zones: ZONES, nat: "perZone" });
    const changed = single.graph.resources
      .filter(({ name }) => name !== "net-nat")
      .filter(
        ({ type, name, inputs }) =>
          JSON.stringify(perZone.graph.named(type, name).inputs) !== JSON.stringify(inputs),
      );
    expect(changed.map(({ name }) => name)).toEqual([
      "net-private-us-east-1a-internet",
      "net-private-us-east-1b-internet",
    ]);
  });

  it("has IPv6 addresses, with egress only for private subnets", async () => {
    const { graph } = await make({ privateSubnets: true, ipv6: true });
    expect(graph.named("aws:ec2/vpc:Vpc", "net-vpc").inputs).toMatchObject({
      assignGeneratedIpv6CidrBlock: true,
    });
    expect(graph.ofType(SUBNET).map(({ name, inputs }) => [name, inputs.ipv6CidrBlock])).toEqual([
      ["net-public-us-east-1a", "2001:db8:0:1200::/64"],
      ["net-private-us-east-1a", "2001:db8:0:1208::/64"],
    ]);
    expect(graph.named(ROUTE, "net-public-internet-ipv6").inputs).toEqual({
      routeTableId: "net-public-id",
      destinationIpv6CidrBlock: "::/0",
      gatewayId: "net-internet-gateway-id",
    });
    expect(graph.named(ROUTE, "net-private-us-east-1a-internet-ipv6").inputs).toEqual({
      routeTableId: "net-private-us-east-1a-id",
      destinationIpv6CidrBlock: "::/0",
      egressOnlyGatewayId: "net-egress-only-gateway-id",
    });
    const { graph: open } = await make({ ipv6: true });
    expect(open.ofType("aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway")).toEqual([]);
  });

  it("reaches S3 from every subnet through an endpoint", async () => {
    const { graph } = await make({ privateSubnets: true, gatewayEndpoints: ["s3"] });
    expect(graph.named("aws:ec2/vpcEndpoint:VpcEndpoint", "net-s3").inputs).toMatchObject({
      vpcId: "net-vpc-id",
      vpcEndpointType: "Gateway",
      serviceName: "com.amazonaws.us-east-1.s3",
      routeTableIds: ["net-public-id", "net-private-us-east-1a-id"],
    });
  });

  it("gives services addresses in private subnets, for the whole network and by HTTPS", async () => {
    const { graph } = await make({
      zones: ZONES,
      privateSubnets: true,
      interfaceEndpoints: ["ec2", "sts"],
      workerCidrBlock: "100.64.0.0/16",
    });
    for (const service of ["ec2", "sts"]) {
      const endpoint = graph.named("aws:ec2/vpcEndpoint:VpcEndpoint", `net-${service}`);
      expect(endpoint.inputs).toMatchObject({
        vpcEndpointType: "Interface",
        serviceName: `com.amazonaws.us-east-1.${service}`,
        privateDnsEnabled: true,
        subnetIds: ["net-private-us-east-1a-id", "net-private-us-east-1b-id"],
        securityGroupIds: ["net-endpoints-id"],
      });
    }
    const rules = graph.ofType("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule");
    expect(rules.map(({ inputs }) => inputs.cidrIpv4)).toEqual(["10.0.0.0/16", "100.64.0.0/16"]);
    expect(rules.every(({ inputs }) => inputs.fromPort === 443 && inputs.toPort === 443)).toBe(
      true,
    );
    const { graph: open } = await make({ interfaceEndpoints: ["ec2"] });
    const endpoint = open.named("aws:ec2/vpcEndpoint:VpcEndpoint", "net-ec2");
    expect(endpoint.inputs.subnetIds).toEqual(["net-public-us-east-1a-id"]);
  });

  it("leads nowhere without internet access, also with zones by number and IPv6", async () => {
    const { value, graph } = await make({
      zones: ZONES,
      internetAccess: false,
      ipv6: true,
      gatewayEndpoints: ["s3"],
    });
    expect(graph.identities()).toEqual([
      "aws:ec2/routeTable:RouteTable net-private-us-east-1a",
      "aws:ec2/routeTable:RouteTable net-private-us-east-1b",
      "aws:ec2/routeTableAssociation:RouteTableAssociation net-private-us-east-1a",
      "aws:ec2/routeTableAssociation:RouteTableAssociation net-private-us-east-1b",
      "aws:ec2/subnet:Subnet net-private-us-east-1a",
      "aws:ec2/subnet:Subnet net-private-us-east-1b",
      "aws:ec2/vpc:Vpc net-vpc",
      "aws:ec2/vpcEndpoint:VpcEndpoint net-s3",
      "talos-aws:index:Network net",
    ]);
    expect(graph.named("aws:ec2/vpcEndpoint:VpcEndpoint", "net-s3").inputs.routeTableIds).toEqual([
      "net-private-us-east-1a-id",
      "net-private-us-east-1b-id",
    ]);
    expect(await valueOf(value.publicSubnetIds)).toEqual({});
    expect(await valueOf(value.zones)).toEqual(ZONES);
    const { value: counted } = await build(
      () => new Network("net", { clusterName: "prod", zoneCount: 2, internetAccess: false }),
    );
    expect(await valueOf(counted.zones)).toHaveLength(2);
  });

  it("has worker subnets in a second range, which changes nothing else", async () => {
    const before = await make({ zones: ZONES, nat: "single", ipv6: true });
    const after = await make({
      zones: ZONES,
      nat: "single",
      ipv6: true,
      workerCidrBlock: "100.64.0.0/16",
    });
    for (const { type, name, inputs } of before.graph.resources) {
      expect(after.graph.named(type, name).inputs).toEqual(inputs);
    }
    const range = after.graph.named(
      "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation",
      "net-worker",
    );
    expect(range.inputs).toEqual({ vpcId: "net-vpc-id", cidrBlock: "100.64.0.0/16" });
    const subnet = after.graph.named(SUBNET, "net-worker-us-east-1b");
    expect(after.graph.before(subnet)).toContain(range);
    expect(subnet.inputs).toMatchObject({
      cidrBlock: "100.64.32.0/19",
      ipv6CidrBlock: "2001:db8:0:1211::/64",
      mapPublicIpOnLaunch: false,
    });
    expect(subnet.inputs.tags).not.toHaveProperty("kubernetes.io/role/internal-elb");
    expect(after.graph.named(ASSOCIATION, "net-worker-us-east-1b").inputs).toMatchObject({
      routeTableId: "net-private-us-east-1b-id",
    });
    expect(Object.keys(await valueOf(after.value.workerSubnetIds))).toEqual(ZONES);
    const { graph: alone } = await make({ workerCidrBlock: "100.64.0.0/16" });
    expect(alone.named(ASSOCIATION, "net-worker-us-east-1a").inputs).toMatchObject({
      routeTableId: "net-private-us-east-1a-id",
    });
  });

  it("writes flow logs into a bucket", async () => {
    const { graph } = await make({ flowLogs: { bucketArn: "arn:aws:s3:::logs" } });
    expect(graph.named(FLOW_LOG, "net-flow-logs").inputs).toMatchObject({
      vpcId: "net-vpc-id",
      trafficType: "ALL",
      maxAggregationInterval: 600,
      logDestinationType: "s3",
      logDestination: "arn:aws:s3:::logs",
    });
    expect(graph.ofType("aws:iam/role:Role")).toEqual([]);
  });

  it("writes flow logs into a log group of its own, which ends with what is recorded", async () => {
    const kmsKeyArn = "arn:aws:kms:us-east-1:123456789012:key/a-b";
    const { graph } = await make({ flowLogs: { kmsKeyArn, retentionDays: 30 }, protect: true });
    const group = graph.named("aws:cloudwatch/logGroup:LogGroup", "net-flow-logs");
    expect(group).toMatchObject({
      protect: true,
      inputs: { retentionInDays: 30, kmsKeyId: kmsKeyArn, tags: { Name: "net-flow-logs" } },
    });
    expect(graph.named(FLOW_LOG, "net-flow-logs").inputs).toMatchObject({
      logDestinationType: "cloud-watch-logs",
      logDestination: `${LOGS}net-flow-logs`,
    });
    const { graph: plain } = await make({ flowLogs: true });
    const { inputs } = plain.named("aws:cloudwatch/logGroup:LogGroup", "net-flow-logs");
    expect(inputs).toMatchObject({ retentionInDays: 365 });
    expect(inputs).not.toHaveProperty("kmsKeyId");
    expect((await make({ flowLogs: false })).graph.ofType(FLOW_LOG)).toEqual([]);
  });

  it("writes flow logs into a log group with a role that can only do this", async () => {
    const logGroupArn = "arn:aws:logs:us-east-1:123456789012:log-group:flows:*";
    const { graph } = await make({
      flowLogs: { logGroupArn, traffic: "rejected", intervalSeconds: 60 },
    });
    const log = graph.named(FLOW_LOG, "net-flow-logs");
    expect(log.inputs).toMatchObject({
      trafficType: "REJECT",
      maxAggregationInterval: 60,
      logDestinationType: "cloud-watch-logs",
      logDestination: logGroupArn,
      iamRoleArn: "arn:net-flow-logs",
    });
    const policy = graph.named("aws:iam/rolePolicy:RolePolicy", "net-flow-logs");
    expect(graph.before(log)).toContain(policy);
    expect(JSON.parse(policy.inputs.policy as string)).toMatchObject({
      Statement: [
        {
          Resource: ["", ":*"].map(
            (end) => `arn:aws:logs:us-east-1:123456789012:log-group:flows${end}`,
          ),
        },
        { Action: ["logs:DescribeLogGroups"], Resource: "*" },
      ],
    });
    const { inputs } = graph.named("aws:iam/role:Role", "net-flow-logs");
    expect(JSON.parse(inputs.assumeRolePolicy as string)).toMatchObject({
      Statement: [
        {
          Principal: { Service: "vpc-flow-logs.amazonaws.com" },
          Condition: {
            StringEquals: { "aws:SourceAccount": "123456789012" },
            ArnLike: { "aws:SourceArn": "arn:aws:ec2:us-east-1:123456789012:vpc-flow-log/*" },
          },
        },
      ],
    });
  });

  it("protects the addresses that other systems allow", async () => {
    const { graph } = await make({ nat: "single", protect: true });
    const kept = graph.resources.filter(({ protect }) => protect);
    expect(kept.map(({ name }) => name).sort()).toEqual([
      "net-nat",
      "net-private-us-east-1a",
      "net-public-us-east-1a",
      "net-vpc",
    ]);
  });

  it("adopts an existing network, tags its subnets and creates nothing else", async () => {
    const { value, graph } = await adopt({ tagSubnets: true });
    expect(graph.identities()).toEqual([
      "aws:ec2/tag:Tag net-private-us-east-1b-cluster",
      "aws:ec2/tag:Tag net-private-us-east-1b-role",
      "aws:ec2/tag:Tag net-public-us-east-1a-cluster",
      "aws:ec2/tag:Tag net-public-us-east-1a-role",
      "talos-aws:index:Network net",
    ]);
    const tag = (name: string) => graph.named("aws:ec2/tag:Tag", name);
    expect(tag("net-public-us-east-1a-cluster").inputs).toEqual({
      resourceId: "subnet-a",
      key: "kubernetes.io/cluster/prod",
      value: "shared",
    });
    expect(tag("net-public-us-east-1a-cluster").retainOnDelete).toBe(false);
    expect(tag("net-private-us-east-1b-role").inputs).toEqual({
      resourceId: "subnet-b",
      key: "kubernetes.io/role/internal-elb",
      value: "1",
    });
    expect(tag("net-private-us-east-1b-role").retainOnDelete).toBe(true);
    expect(await valueOf(value.vpcId)).toBe("vpc-1");
    expect(await valueOf(value.publicSubnetIds)).toEqual({ "us-east-1a": "subnet-a" });
    expect(await valueOf(value.privateSubnetIds)).toEqual({ "us-east-1b": "subnet-b" });
    const { graph: untagged } = await adopt({});
    expect(untagged.identities()).toEqual(["talos-aws:index:Network net"]);
  });

  it("reports all bad arguments at once, by name", async () => {
    const error: unknown = await make({ zones: ["here"], cidrBlock: "10.0.0.0" }).catch(
      (reason: unknown) => reason,
    );
    expect(pulumi.InputPropertiesError.isInstance(error)).toBe(true);
    const { message, errors } = error as pulumi.InputPropertiesError;
    expect(errors.map(({ propertyPath }) => propertyPath)).toEqual(["zones[0]", "cidrBlock"]);
    expect(message).toContain(`zones[0]: "here" is no availability zone`);
    expect(message).toContain(`cidrBlock: "10.0.0.0" has no prefix length`);
  });
});
