import * as pulumi from "@pulumi/pulumi";
import { Network, type NetworkArgs } from "../../components/network";
import { build, valueOf } from "./mockedGraph";

const make = (args: Partial<NetworkArgs> = {}) =>
  build(() => new Network("net", { clusterName: "prod", zones: ["us-east-1a"], ...args }));

const SUBNET = "aws:ec2/subnet:Subnet";

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

  it("leaves a zone's subnet alone when another zone is added before it", async () => {
    const one = await make({ zones: ["us-east-1b"] });
    const two = await make({ zones: ["us-east-1a", "us-east-1b"] });
    const name = "net-public-us-east-1b";
    expect(two.graph.named(SUBNET, name).inputs).toEqual(one.graph.named(SUBNET, name).inputs);
    expect(two.graph.identities()).toEqual(expect.arrayContaining(one.graph.identities()));
  });

  it("is found by controllers in the cluster by its tags, and takes more", async () => {
    const { graph } = await make({ tags: { team: "storage" } });
    expect(graph.named(SUBNET, "net-public-us-east-1a").inputs.tags).toEqual({
      Name: "net-public-us-east-1a",
      "kubernetes.io/cluster/prod": "owned",
      "kubernetes.io/role/elb": "1",
      team: "storage",
    });
  });

  it("counts the zones of the region by name, and keeps those of subnets that are there", async () => {
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

  it("tells all bad arguments at once, by their names", async () => {
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
