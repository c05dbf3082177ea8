import {
  DescribeAddressesCommand,
  DescribeInstancesCommand,
  DescribeInternetGatewaysCommand,
  DescribeNatGatewaysCommand,
  DescribeNetworkInterfacesCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcsCommand,
  type EC2Client,
  type Filter,
} from "@aws-sdk/client-ec2";
import {
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  type ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { type IAMClient, ListInstanceProfilesCommand, ListRolesCommand } from "@aws-sdk/client-iam";

/** Clients of the account that is looked at. */
export interface LeftoverClients {
  readonly ec2: EC2Client;
  readonly loadBalancing: ElasticLoadBalancingV2Client;
  readonly iam: IAMClient;
}

type Ids = readonly (string | undefined)[];
type List = (ec2: EC2Client, filters: Filter[]) => Promise<Ids | undefined>;

/** AWS tells of what is gone for an hour, in another state. */
const LIVE_INSTANCES = ["pending", "running", "stopping", "stopped"];
const LIVE_GATEWAYS = ["pending", "available"];

/** How each kind of EC2 that can carry a tag is listed. Those that cost come first. */
const EC2_LISTS: Readonly<Record<string, List>> = {
  instance: async (ec2, own) => {
    const Filters = [...own, { Name: "instance-state-name", Values: LIVE_INSTANCES }];
    const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ Filters }));
    return Reservations.flatMap(({ Instances = [] }) => Instances).map((each) => each.InstanceId);
  },
  "NAT gateway": async (ec2, own) => {
    const Filter = [...own, { Name: "state", Values: LIVE_GATEWAYS }];
    const { NatGateways } = await ec2.send(new DescribeNatGatewaysCommand({ Filter }));
    return NatGateways?.map(({ NatGatewayId }) => NatGatewayId);
  },
  address: async (ec2, Filters) =>
    (await ec2.send(new DescribeAddressesCommand({ Filters }))).Addresses?.map(
      ({ AllocationId }) => AllocationId,
    ),
  volume: async (ec2, Filters) =>
    (await ec2.send(new DescribeVolumesCommand({ Filters }))).Volumes?.map((each) => each.VolumeId),
  "network interface": async (ec2, Filters) =>
    (await ec2.send(new DescribeNetworkInterfacesCommand({ Filters }))).NetworkInterfaces?.map(
      ({ NetworkInterfaceId }) => NetworkInterfaceId,
    ),
  "internet gateway": async (ec2, Filters) =>
    (await ec2.send(new DescribeInternetGatewaysCommand({ Filters }))).InternetGateways?.map(
      ({ InternetGatewayId }) => InternetGatewayId,
    ),
  "security group": async (ec2, Filters) =>
    (await ec2.send(new DescribeSecurityGroupsCommand({ Filters }))).SecurityGroups?.map(
      ({ GroupId }) => GroupId,
    ),
  subnet: async (ec2, Filters) =>
    (await ec2.send(new DescribeSubnetsCommand({ Filters }))).Subnets?.map((each) => each.SubnetId),
  "route table": async (ec2, Filters) =>
    (await ec2.send(new DescribeRouteTablesCommand({ Filters }))).RouteTables?.map(
      ({ RouteTableId }) => RouteTableId,
    ),
  network: async (ec2, Filters) =>
    (await ec2.send(new DescribeVpcsCommand({ Filters }))).Vpcs?.map(({ VpcId }) => VpcId),
};

/**
 * What AWS has of a cluster: of EC2 whatever has a tag `Name` that begins with the cluster's name, of load
 * balancing and IAM what is named so.
 *
 * @param cluster name of the cluster, for example `sandbox`
 * @returns `<kind> <id or name>`
 */
export async function leftovers(
  { ec2, loadBalancing, iam }: LeftoverClients,
  cluster: string,
): Promise<readonly string[]> {
  const inEc2 = await Promise.all(
    Object.entries(EC2_LISTS).map(async ([kind, list]) => {
      const ids = (await list(ec2, ownFilters(cluster))) ?? [];
      return ids.map((id = "") => `${kind} ${id}`);
    }),
  );
  const [{ LoadBalancers = [] }, { TargetGroups = [] }, roles, profiles] = await Promise.all([
    loadBalancing.send(new DescribeLoadBalancersCommand({})),
    loadBalancing.send(new DescribeTargetGroupsCommand({})),
    iam.send(new ListRolesCommand({ MaxItems: 1_000 })),
    iam.send(new ListInstanceProfilesCommand({ MaxItems: 1_000 })),
  ]);
  const named = [
    ...LoadBalancers.map(({ LoadBalancerName: name = "" }) => ["load balancer", name]),
    ...TargetGroups.map(({ TargetGroupName: name = "" }) => ["target group", name]),
    ...(roles.Roles ?? []).map(({ RoleName: name = "" }) => ["role", name]),
    ...(profiles.InstanceProfiles ?? []).map((each) => [
      "instance profile",
      each.InstanceProfileName ?? "",
    ]),
  ];
  const own = named.filter(([, name = ""]) => name.startsWith(`${cluster}-`));
  return [...inEc2.flat(), ...own.map((words) => words.join(" "))];
}

/** Ids of the machines that AWS has of a cluster and that aren't gone. */
export async function liveInstances(ec2: EC2Client, cluster: string): Promise<readonly string[]> {
  const ids = (await EC2_LISTS.instance?.(ec2, ownFilters(cluster))) ?? [];
  return ids.flatMap((id) => (id === undefined ? [] : [id]));
}

function ownFilters(cluster: string): Filter[] {
  return [{ Name: "tag:Name", Values: [`${cluster}-*`] }];
}
