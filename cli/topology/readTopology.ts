import { numberOf, text, texts } from "../properties";
import type { StackResource } from "../stackResource";
import { readFlows, readOutbound } from "./readFlows";
import { readMachineGroups } from "./readMachineGroups";
import { readRunning } from "./readRunning";
import { readSubnets } from "./readSubnets";
import { ResourceIndex } from "./resourceIndex";
import type { MachineGroup, Topology, TopologyLoadBalancer, TopologySubnet } from "./topology";

const LOAD_BALANCER = "aws:lb/loadBalancer:LoadBalancer";

/** The resources of a stack, by network. Adopted networks and subnets are those of its machines. */
export function readTopology(resources: readonly StackResource[]): readonly Topology[] {
  const index = new ResourceIndex(resources);
  const vpcOfGroup = new Map(
    index
      .all("aws:ec2/securityGroup:SecurityGroup")
      .map(({ id, outputs }) => [id, text(outputs, "vpcId")]),
  );
  const vpcs = new Set([
    ...index.all("aws:ec2/vpc:Vpc").map(({ id }) => id),
    ...vpcOfGroup.values(),
  ]);
  const subnets = readSubnets(index);
  return [...vpcs].map((vpc) => {
    const isHere = (groupIds: readonly string[]) =>
      groupIds.some((id) => vpcOfGroup.get(id) === vpc);
    const groups = readMachineGroups(index, subnets, isHere);
    const loadBalancers = index
      .all(LOAD_BALANCER)
      .filter(({ outputs }) => isHere(texts(outputs, "securityGroups")))
      .map((each) => readLoadBalancer(each, index, subnets));
    const used = usedSubnets(index, subnets, vpc, groups);
    return {
      network: vpc,
      cidr: text(index.find("aws:ec2/vpc:Vpc", vpc)?.outputs ?? {}, "cidrBlock") || undefined,
      zones: [
        ...new Set([...used.map(({ zone }) => zone), ...groups.flatMap(({ zones }) => zones)]),
      ].sort(),
      subnets: used,
      loadBalancers,
      groups,
      flows: readFlows(index, { isHere, groups, loadBalancers }),
      outbound: readOutbound(index, { isHere, groups, loadBalancers }),
      ...readRunning(resources, isHere),
    };
  });
}

function usedSubnets(
  index: ResourceIndex,
  subnets: ReadonlyMap<string, TopologySubnet>,
  vpc: string,
  groups: readonly MachineGroup[],
): readonly TopologySubnet[] {
  const made = index
    .all("aws:ec2/subnet:Subnet")
    .filter(({ outputs }) => text(outputs, "vpcId") === vpc)
    .flatMap(({ id }) => subnets.get(id) ?? []);
  if (made.length > 0) {
    return made;
  }
  return groups.flatMap(({ zones, tier }) =>
    zones.map((zone) => ({ id: "", zone, tier, cidr: undefined, hasNat: false })),
  );
}

function readLoadBalancer(
  { name, id, outputs }: StackResource,
  index: ResourceIndex,
  subnets: ReadonlyMap<string, TopologySubnet>,
): TopologyLoadBalancer {
  const listeners = index
    .all("aws:lb/listener:Listener")
    .filter((each) => text(each.outputs, "loadBalancerArn") === id);
  return {
    name,
    isInternal: outputs.internal === true,
    zones: texts(outputs, "subnets").flatMap((subnet) => subnets.get(subnet)?.zone ?? []),
    ports: listeners.flatMap((each) => numberOf(each.outputs, "port") ?? []),
    party: texts(outputs, "securityGroups")[0] ?? "",
  };
}
