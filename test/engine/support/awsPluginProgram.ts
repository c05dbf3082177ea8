import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

/** What the program is run with; each step of the test changes some of it. */
export interface Variation {
  label: string;
  vpcCidr: string;
  dnsHostnames: boolean;
  port: number;
  instanceType: string;
  userData: string | undefined;
  imageVersion: string;
  hopLimit: number;
  volumeSize: number;
  maxSessionDuration: number;
  policyAction: string;
  deregistrationDelay: number;
  healthInterval: number;
  crossZone: boolean;
  comment: string;
  ttl: number;
  secondGroup: boolean;
  extra: ((parts: Parts) => unknown) | undefined;
  /** Runs instead of all others: with what is refused nothing else may still be under way. */
  only: (() => unknown) | undefined;
}

/** Resources that `Variation.extra` builds on. */
export interface Parts {
  vpc: aws.ec2.Vpc;
  subnet: aws.ec2.Subnet;
  group: aws.ec2.SecurityGroup;
}

export const initialVariation: Variation = {
  label: "one",
  vpcCidr: "10.7.0.0/16",
  dnsHostnames: true,
  port: 6443,
  instanceType: "m6i.large",
  userData: undefined,
  imageVersion: "v1.12.0",
  hopLimit: 2,
  volumeSize: 50,
  maxSessionDuration: 3600,
  policyAction: "ec2:DescribeInstances",
  deregistrationDelay: 300,
  healthInterval: 10,
  crossZone: true,
  comment: "first",
  ttl: 60,
  secondGroup: false,
  extra: undefined,
  only: undefined,
};

/** One resource of every kind the substitute serves, and one call of each function. */
export function awsProgram(v: Variation): pulumi.automation.PulumiFn {
  return async () => {
    if (v.only !== undefined) {
      v.only();
      return {};
    }
    const tags = { Name: v.label, "kubernetes.io/cluster/demo": "owned" };
    const zones = await aws.getAvailabilityZones({ state: "available" });
    const { region } = await aws.getRegion();
    const image = await aws.ec2.getAmi({
      owners: ["540036508848"],
      filters: [{ name: "name", values: [`talos-${v.imageVersion}-${region}-amd64`] }],
    });
    const vpc = new aws.ec2.Vpc("net", {
      cidrBlock: v.vpcCidr,
      enableDnsHostnames: v.dnsHostnames,
      tags,
    });
    const gateway = new aws.ec2.InternetGateway("net", { vpcId: vpc.id, tags });
    const table = new aws.ec2.RouteTable("net", { vpcId: vpc.id, tags });
    new aws.ec2.Route("net", {
      routeTableId: table.id,
      destinationCidrBlock: "0.0.0.0/0",
      gatewayId: gateway.id,
    });
    const subnet = new aws.ec2.Subnet("a", {
      vpcId: vpc.id,
      cidrBlock: v.vpcCidr.replace(".0.0/16", ".1.0/24"),
      availabilityZone: zones.names[0] ?? "",
      mapPublicIpOnLaunch: true,
      privateDnsHostnameTypeOnLaunch: "ip-name",
      tags,
    });
    new aws.ec2.RouteTableAssociation("a", { subnetId: subnet.id, routeTableId: table.id });
    const group = new aws.ec2.SecurityGroup("nodes", { vpcId: vpc.id, tags });
    const second = new aws.ec2.SecurityGroup("more", { vpcId: vpc.id, description: "More" });
    new aws.vpc.SecurityGroupIngressRule("api", {
      securityGroupId: group.id,
      ipProtocol: "tcp",
      fromPort: v.port,
      toPort: v.port,
      cidrIpv4: "203.0.113.0/24",
      description: `port ${v.port}`,
      tags,
    });
    new aws.vpc.SecurityGroupIngressRule("self", {
      securityGroupId: group.id,
      ipProtocol: "-1",
      referencedSecurityGroupId: group.id,
    });
    new aws.vpc.SecurityGroupEgressRule("all", {
      securityGroupId: group.id,
      ipProtocol: "-1",
      cidrIpv4: "0.0.0.0/0",
      tags,
    });

    const role = new aws.iam.Role("node", {
      assumeRolePolicy: JSON.stringify({
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Principal: { Service: "ec2.amazonaws.com" },
            Action: "sts:AssumeRole",
          },
        ],
      }),
      maxSessionDuration: v.maxSessionDuration,
      tags,
    });
    new aws.iam.RolePolicy("node", {
      role: role.name,
      policy: {
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Action: [v.policyAction], Resource: "*" }],
      },
    });
    const profile = new aws.iam.InstanceProfile("node", { role: role.name, tags });
    const instance = new aws.ec2.Instance("node", {
      ami: image.id,
      instanceType: v.instanceType,
      subnetId: subnet.id,
      associatePublicIpAddress: true,
      vpcSecurityGroupIds: v.secondGroup ? [group.id, second.id] : [group.id],
      iamInstanceProfile: profile.name,
      ebsOptimized: true,
      disableApiTermination: false,
      ...(v.userData !== undefined && { userDataBase64: pulumi.secret(v.userData) }),
      metadataOptions: {
        httpEndpoint: "enabled",
        httpTokens: "required",
        httpPutResponseHopLimit: v.hopLimit,
        instanceMetadataTags: "disabled",
      },
      privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: false },
      rootBlockDevice: {
        volumeType: "gp3",
        volumeSize: v.volumeSize,
        encrypted: true,
        deleteOnTermination: true,
        tags,
      },
      tags,
    });

    const balancer = new aws.lb.LoadBalancer("api", {
      loadBalancerType: "network",
      internal: false,
      subnets: [subnet.id],
      securityGroups: [group.id],
      enableCrossZoneLoadBalancing: v.crossZone,
      tags,
    });
    const targets = new aws.lb.TargetGroup("api", {
      port: 6443,
      protocol: "TCP",
      vpcId: vpc.id,
      targetType: "instance",
      preserveClientIp: "false",
      deregistrationDelay: v.deregistrationDelay,
      healthCheck: { protocol: "TCP", port: "6443", interval: v.healthInterval },
      tags,
    });
    new aws.lb.Listener("api", {
      loadBalancerArn: balancer.arn,
      port: v.port,
      protocol: "TCP",
      defaultActions: [{ type: "forward", targetGroupArn: targets.arn }],
      tags,
    });
    new aws.lb.TargetGroupAttachment("node", {
      targetGroupArn: targets.arn,
      targetId: instance.id,
      port: 6443,
    });
    const zone = new aws.route53.Zone("dns", { name: "demo.test", comment: v.comment, tags });
    new aws.route53.Record("api", {
      zoneId: zone.zoneId,
      name: "api.demo.test",
      type: "A",
      aliases: [{ name: balancer.dnsName, zoneId: balancer.zoneId, evaluateTargetHealth: true }],
    });
    new aws.route53.Record("text", {
      zoneId: zone.zoneId,
      name: "text",
      type: "TXT",
      ttl: v.ttl,
      records: ['"hello"'],
    });
    const found = aws.route53.getZoneOutput({ zoneId: zone.zoneId });
    await v.extra?.({ vpc, subnet, group });
    // The SDK doesn't count a function that still waits for its arguments among what a program has to
    // do, and ends the program before on a busy machine (pulumi v3.230.0, runtime/invoke.ts).
    await pulumi.runtime.serializeProperties("found", { found });
    return {
      region,
      zoneName: found.name,
      vpcId: vpc.id,
      groupId: group.id,
      groupName: group.name,
      instanceId: instance.id,
      publicIp: instance.publicIp,
      dnsName: balancer.dnsName,
      userData: instance.userDataBase64,
      tagsAll: vpc.tagsAll,
      nameServers: zone.nameServers,
    };
  };
}
