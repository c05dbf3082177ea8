import type { Properties } from "../../../cli/properties";
import type { StackResource } from "../../../cli/stackResource";

const project = "urn:pulumi:test::p";

function resource(
  type: string,
  id: string,
  outputs: Properties,
  { name = id, parent = "" }: { name?: string; parent?: string } = {},
): StackResource {
  const urn = `${project}::${type}::${name}`;
  return {
    urn,
    type,
    name,
    parent,
    id,
    isComponent: false,
    isProtected: false,
    inputs: {},
    outputs,
  };
}

const component = (kind: string, name: string) => `${project}::talos-aws:index:${kind}::${name}`;

function applied(name: string, talos: string, redactedConfiguration: object): StackResource {
  const inputs = { machineId: `i-${name}`, redactedConfiguration };
  const type = "pulumi-nodejs:dynamic/talos:ConfigurationApply";
  const outputs = { talosSystem: { version: talos } };
  const parent = component("TalosCluster", "c");
  return { ...resource(type, `i-${name}`, outputs, { name, parent }), inputs };
}

function outbound(from: string, to: Properties): StackResource {
  const outputs = { securityGroupId: from, ipProtocol: "-1", ...to };
  const id = `${from}-out-${JSON.stringify(to)}`;
  return resource("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", id, outputs);
}

function instance(name: string, parent: string, zone: string, group: string, publicIp: string) {
  const outputs = {
    availabilityZone: zone,
    instanceType: "t3.large",
    subnetId: `subnet-${publicIp === "" ? "private" : "public"}-${zone}`,
    privateIp: `10.0.0.${name.length}`,
    publicIp,
    vpcSecurityGroupIds: [group],
  };
  return resource("aws:ec2/instance:Instance", `i-${name}`, outputs, { name, parent });
}

function rule(to: string, from: Properties, port: number, description: string): StackResource {
  const outputs = {
    securityGroupId: to,
    ipProtocol: "tcp",
    fromPort: port,
    toPort: port,
    description,
    ...from,
  };
  const id = `${to}-${JSON.stringify(from)}-${port}`;
  return resource("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", id, outputs);
}

const zones = ["us-east-1a", "us-east-1b"];

/** A cluster over two zones with a control plane, workers and an auto scaling pool. */
export const sampleResources: readonly StackResource[] = [
  resource("aws:ec2/vpc:Vpc", "vpc-1", { cidrBlock: "10.0.0.0/16" }),
  ...zones.flatMap((zone, index) => [
    resource("aws:ec2/subnet:Subnet", `subnet-public-${zone}`, {
      vpcId: "vpc-1",
      availabilityZone: zone,
      cidrBlock: `10.0.${index}.0/24`,
    }),
    resource("aws:ec2/subnet:Subnet", `subnet-private-${zone}`, {
      vpcId: "vpc-1",
      availabilityZone: zone,
      cidrBlock: `10.0.1${index}.0/24`,
    }),
    resource("aws:ec2/routeTableAssociation:RouteTableAssociation", `association-${zone}`, {
      routeTableId: "rtb-public",
      subnetId: `subnet-public-${zone}`,
    }),
  ]),
  resource("aws:ec2/route:Route", "route", { routeTableId: "rtb-public", gatewayId: "igw-1" }),
  resource("aws:ec2/natGateway:NatGateway", "nat", {
    subnetId: "subnet-public-us-east-1a",
    publicIp: "198.51.100.9",
  }),
  ...["sg-cp", "sg-worker", "sg-lb", "sg-nobody"].map((id) =>
    resource("aws:ec2/securityGroup:SecurityGroup", id, { vpcId: "vpc-1" }),
  ),
  resource(
    "aws:lb/loadBalancer:LoadBalancer",
    "arn:lb",
    { securityGroups: ["sg-lb"], subnets: zones.map((zone) => `subnet-public-${zone}`) },
    { name: "c-api" },
  ),
  resource("aws:lb/listener:Listener", "listener", { loadBalancerArn: "arn:lb", port: 6443 }),
  ...zones.map((zone, index) =>
    instance(
      `c-control-plane-${index + 1}`,
      component("ControlPlane", "c-control-plane"),
      zone,
      "sg-cp",
      `198.51.100.${index + 1}`,
    ),
  ),
  instance("c-web-1", component("WorkerPool", "c-web"), "us-east-1b", "sg-worker", ""),
  resource("aws:ec2/launchTemplate:LaunchTemplate", "lt-1", {
    instanceType: "m6i.large",
    vpcSecurityGroupIds: ["sg-worker"],
  }),
  ...zones.map((zone) =>
    resource(
      "aws:autoscaling/group:Group",
      `c-spot-${zone}`,
      {
        launchTemplate: { id: "lt-1" },
        vpcZoneIdentifiers: [`subnet-private-${zone}`],
        minSize: 0,
        maxSize: 4,
      },
      { parent: component("AutoScalingWorkerPool", "c-spot") },
    ),
  ),
  applied("c-control-plane-1", "v1.13.0", {
    machine: { kubelet: { image: "ghcr.io/siderolabs/kubelet:v1.35.0" } },
    cluster: {},
  }),
  applied("c-control-plane-2", "v1.14.1", {
    KubeletConfig: { image: "ghcr.io/siderolabs/kubelet:v1.36.0" },
    KubeClusterConfig: { endpoint: "https://k8s.c.example.com:6443" },
  }),
  outbound("sg-cp", { cidrIpv4: "0.0.0.0/0" }),
  outbound("sg-worker", { prefixListId: "pl-1" }),
  // The load balancer reaches only machines, which the rules of those say too.
  outbound("sg-lb", { referencedSecurityGroupId: "sg-cp" }),
  outbound("sg-nobody", { cidrIpv4: "0.0.0.0/0" }),
  rule("sg-lb", { cidrIpv4: "192.0.2.0/24" }, 6443, "Kubernetes API: clients"),
  rule("sg-lb", { cidrIpv4: "198.51.100.1/32" }, 6443, "Kubernetes API: machine"),
  rule("sg-lb", { cidrIpv4: "198.51.100.9/32" }, 6443, "Kubernetes API: NAT"),
  rule("sg-cp", { cidrIpv4: "192.0.2.0/24" }, 50000, "Talos API: operators"),
  rule("sg-cp", { referencedSecurityGroupId: "sg-lb" }, 6443, "Kubernetes API: load balancer"),
  rule("sg-cp", { referencedSecurityGroupId: "sg-nobody" }, 22, "nobody: at all"),
  rule("sg-worker", { referencedSecurityGroupId: "sg-cp" }, 10250, "kubelet: <API> & servers"),
  rule("sg-nobody", { cidrIpv4: "0.0.0.0/0" }, 80, "web"),
];
