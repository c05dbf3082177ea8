import type { ClusterNetworkArgs, GatewayService, InterfaceService } from "../components";
import { FIREWALL_GROUPS, MONITORING_TARGETS } from "../components/firewall/firewallArgs";
import { CLUSTER_CNIS } from "../components/firewall/podNetworkPorts";
import { GATEWAY_SERVICES, INTERFACE_SERVICES } from "../components/network/networkArgs";
import { NAT_STRATEGIES } from "../components/network/planNatGateways";
import {
  choice,
  flag,
  group,
  list,
  ranges,
  type SettingSchema,
  switched,
  text,
  textsByKey,
  whole,
} from "./settingSchema";

/** Settings of a network: the same as `NetworkArgs`, with known ids. */
export type NetworkSettings = Omit<ClusterNetworkArgs, "adopt"> & {
  readonly adopt?: AdoptedNetworkSettings;
};

/** Settings of an existing network. */
export interface AdoptedNetworkSettings {
  readonly vpcId: string;
  readonly publicSubnetIds?: Readonly<Record<string, string>>;
  readonly privateSubnetIds?: Readonly<Record<string, string>>;
  readonly natAddresses?: Readonly<Record<string, string>>;
  readonly endpoints?: readonly (GatewayService | InterfaceService)[];
  readonly tagSubnets?: boolean;
}

const zone = text(`an availability zone, as in "us-east-1a"`);
const subnets = textsByKey("us-east-1a: subnet-0123456789abcdef0");
const groupId = text(`the id of a security group, as in "sg-0123456789abcdef0"`);

/** The settings of a log group that is created. */
export const logGroupSettings: Readonly<Record<string, SettingSchema>> = {
  retentionDays: whole("a number of days, as in 365"),
  kmsKeyArn: text(`the ARN of a key, as in "arn:aws:kms:us-east-1:123456789012:key/0123abcd"`),
};

/** The shape of `network` in an environment's settings. */
export const networkSchema = group("an object, as in {zones: [us-east-1a]}", {
  cidrBlock: text(`an IPv4 range, as in "10.0.0.0/16"`),
  internetAccess: flag,
  workerCidrBlock: text(`an IPv4 range, as in "100.64.0.0/16"`),
  zones: list(`a list of availability zones, as in ["us-east-1a"]`, zone),
  zoneCount: whole("a number of zones, as in 3"),
  privateSubnets: flag,
  nat: choice(NAT_STRATEGIES),
  natZone: zone,
  ipv6: flag,
  gatewayEndpoints: list(`a list of services, as in ["s3"]`, choice(GATEWAY_SERVICES)),
  interfaceEndpoints: list(`a list of services, as in ["ec2"]`, choice(INTERFACE_SERVICES)),
  flowLogs: switched("retentionDays: 365", {
    bucketArn: text(`the ARN of a bucket, as in "arn:aws:s3:::logs"`),
    logGroupArn: text("the ARN of a log group"),
    traffic: choice(["all", "accepted", "rejected"]),
    intervalSeconds: whole("a number of seconds, 60 or 600"),
    ...logGroupSettings,
  }),
  adopt: group(
    `an object, as in {vpcId: vpc-0123456789abcdef0, publicSubnetIds: {us-east-1a: subnet-0123456789abcdef0}}`,
    {
      vpcId: text(`the id of a VPC, as in "vpc-0123456789abcdef0"`),
      publicSubnetIds: subnets,
      privateSubnetIds: subnets,
      natAddresses: textsByKey("us-east-1a: 203.0.113.7"),
      endpoints: list(
        `a list of services, as in ["ec2"]`,
        choice([...GATEWAY_SERVICES, ...INTERFACE_SERVICES]),
      ),
      tagSubnets: flag,
    },
    ["vpcId"],
  ),
});

const port = whole("a port, as in 443");
const extraRule = group(
  "a rule, as in {group: worker, protocol: tcp, ports: 443, from: {cidr: 203.0.113.0/24}, description: Web}",
  {
    group: choice(FIREWALL_GROUPS),
    protocol: choice(["tcp", "udp"]),
    ports: {
      title: "a port, as in 443, or an object, as in {from: 8000, to: 8010}",
      type: ["integer", "object"],
      properties: { from: port, to: port },
      required: ["from", "to"],
      additionalProperties: false,
    },
    from: group("an object, as in {cidr: 203.0.113.0/24}", {
      group: choice(FIREWALL_GROUPS),
      securityGroupId: groupId,
      cidr: text(`an IPv4 range, as in "203.0.113.0/24"`),
      world: flag,
    }),
    description: text("a few words about its purpose"),
  },
  ["group", "protocol", "ports", "from", "description"],
);

/** The shape of `firewall` in an environment's settings. */
export const firewallSchema = group("an object, as in {monitoring: [kubelet]}", {
  kubeSpanCidrs: ranges,
  allowWorldToKubeSpan: flag,
  monitoring: list(`a list, as in ["kubelet"]`, choice(MONITORING_TARGETS)),
  extraRules: {
    title: "an object of rules by names of your own",
    type: "object",
    additionalProperties: extraRule,
  },
  adopt: group(
    "an object of ids of security groups",
    {
      controlPlaneGroupId: groupId,
      workerGroupId: groupId,
      loadBalancerGroupId: groupId,
      makeRules: flag,
    },
    ["controlPlaneGroupId", "workerGroupId", "loadBalancerGroupId"],
  ),
});

/** The shape of `cni` in an environment's settings. */
export const cniSetting: SettingSchema = choice(CLUSTER_CNIS);
