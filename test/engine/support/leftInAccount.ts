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
} from "@aws-sdk/client-ec2";
import { DescribeLoadBalancersCommand as DescribeClassicCommand } from "@aws-sdk/client-elastic-load-balancing";
import {
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { ListInstanceProfilesCommand, ListRolesCommand } from "@aws-sdk/client-iam";
import { ListHostedZonesCommand } from "@aws-sdk/client-route-53";
import type { Account } from "./account";

/**
 * The ids of what is in an account. Asked of each kind: moto's list of all tags keeps those of what was
 * deleted. What AWS itself puts there is among them.
 */
export async function leftInAccount(account: Account): Promise<string[]> {
  const { classicBalancing, ec2, iam, loadBalancing, route53 } = account;
  const all = await Promise.all([
    ec2.send(new DescribeVpcsCommand({})).then((it) => it.Vpcs?.map((each) => each.VpcId)),
    ec2.send(new DescribeSubnetsCommand({})).then((it) => it.Subnets?.map((each) => each.SubnetId)),
    ec2
      .send(new DescribeSecurityGroupsCommand({}))
      .then((it) => it.SecurityGroups?.map((each) => each.GroupId)),
    ec2
      .send(new DescribeInternetGatewaysCommand({}))
      .then((it) => it.InternetGateways?.map((each) => each.InternetGatewayId)),
    ec2
      .send(new DescribeRouteTablesCommand({}))
      .then((it) => it.RouteTables?.map((each) => each.RouteTableId)),
    ec2
      .send(new DescribeNatGatewaysCommand({}))
      .then((it) =>
        it.NatGateways?.filter((each) => each.State !== "deleted").map((each) => each.NatGatewayId),
      ),
    ec2
      .send(new DescribeNetworkInterfacesCommand({}))
      .then((it) => it.NetworkInterfaces?.map((each) => each.NetworkInterfaceId)),
    ec2
      .send(new DescribeAddressesCommand({}))
      .then((it) => it.Addresses?.map((each) => each.AllocationId)),
    ec2.send(new DescribeVolumesCommand({})).then((it) => it.Volumes?.map((each) => each.VolumeId)),
    ec2.send(new DescribeInstancesCommand({})).then((it) =>
      it.Reservations?.flatMap(({ Instances = [] }) => Instances)
        .filter((each) => each.State?.Name !== "terminated")
        .map((each) => each.InstanceId),
    ),
    classicBalancing
      .send(new DescribeClassicCommand({}))
      .then((it) => it.LoadBalancerDescriptions?.map((each) => each.LoadBalancerName)),
    loadBalancing
      .send(new DescribeLoadBalancersCommand({}))
      .then((it) => it.LoadBalancers?.map((each) => each.LoadBalancerArn)),
    loadBalancing
      .send(new DescribeTargetGroupsCommand({}))
      .then((it) => it.TargetGroups?.map((each) => each.TargetGroupArn)),
    route53
      .send(new ListHostedZonesCommand({}))
      .then((it) => it.HostedZones?.map((each) => each.Id)),
    iam.send(new ListRolesCommand({})).then((it) => it.Roles?.map((each) => each.RoleName)),
    iam
      .send(new ListInstanceProfilesCommand({}))
      .then((it) => it.InstanceProfiles?.map((each) => each.InstanceProfileName)),
  ]);
  return all.flatMap((ids) => ids ?? []).map(String);
}
