import { objects, mappingAt, numberOf, text, texts } from "../properties";
import { nameOf } from "../repair/pendingOperations";
import type { StackResource } from "../stackResource";
import { type ResourceIndex } from "./resourceIndex";
import type { MachineGroup, Tier, TopologyMachine, TopologySubnet } from "./topology";

type Subnets = ReadonlyMap<string, TopologySubnet>;

/**
 * The machines in a network, grouped by component and kind of subnet; control planes first.
 *
 * @param isHere whether one of these security groups belongs to the network
 */
export function readMachineGroups(
  index: ResourceIndex,
  subnets: Subnets,
  isHere: (securityGroupIds: readonly string[]) => boolean,
): readonly MachineGroup[] {
  const instances = index
    .all("aws:ec2/instance:Instance")
    .filter(({ outputs }) => isHere(texts(outputs, "vpcSecurityGroupIds")));
  const groups = new Map<string, StackResource[]>();
  for (const instance of instances) {
    const key = `${instance.parent} ${tierOf(instance, instances, subnets)}`;
    const group = groups.get(key) ?? [];
    group.push(instance);
    groups.set(key, group);
  }
  const pools = new Map<string, MachineGroup>();
  for (const each of index.all("aws:autoscaling/group:Group")) {
    const group = readScalingGroup(each, index, subnets);
    const before = pools.get(each.parent);
    if (isHere([group.party])) {
      pools.set(each.parent, before === undefined ? group : joined(before, group));
    }
  }
  return [
    ...[...groups.values()].map((each) => readInstances(each, subnets)),
    ...pools.values(),
  ].sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

function rank({ role }: MachineGroup): number {
  return role === "controlplane" ? 0 : 1;
}

function readInstances(instances: readonly StackResource[], subnets: Subnets): MachineGroup {
  const machines = instances.map(({ name, outputs }): TopologyMachine => ({
    name,
    zone: text(outputs, "availabilityZone"),
    privateAddress: text(outputs, "privateIp"),
    publicAddress: text(outputs, "publicIp"),
  }));
  const [first] = instances;
  const name = first === undefined ? "" : groupName(first);
  return {
    name,
    role: roleOf(first?.parent ?? "", name),
    tier: first === undefined ? "public" : tierOf(first, instances, subnets),
    instanceTypes: unique(instances.map(({ outputs }) => text(outputs, "instanceType"))),
    machines: [...machines].sort((one, other) =>
      one.name.localeCompare(other.name, "en", { numeric: true }),
    ),
    scaling: [],
    zones: unique(machines.map(({ zone }) => zone)),
    party: texts(first?.outputs ?? {}, "vpcSecurityGroupIds")[0] ?? "",
  };
}

function readScalingGroup(
  resource: StackResource,
  index: ResourceIndex,
  subnets: Subnets,
): MachineGroup {
  const { parent, outputs } = resource;
  const mixed = mappingAt(mappingAt(outputs, "mixedInstancesPolicy"), "launchTemplate");
  const templateId =
    text(mappingAt(outputs, "launchTemplate"), "id") ||
    text(mappingAt(mixed, "launchTemplateSpecification"), "launchTemplateId");
  const template = index.find("aws:ec2/launchTemplate:LaunchTemplate", templateId)?.outputs ?? {};
  const [party = ""] = [
    ...texts(template, "vpcSecurityGroupIds"),
    ...objects(template, "networkInterfaces").flatMap((each) => texts(each, "securityGroups")),
  ];
  const types = objects(mixed, "overrides").map((each) => text(each, "instanceType"));
  const found = texts(outputs, "vpcZoneIdentifiers").flatMap((id) => subnets.get(id) ?? []);
  const zones = unique([...found.map(({ zone }) => zone), ...texts(outputs, "availabilityZones")]);
  const name = groupName(resource);
  return {
    name,
    role: roleOf(parent, name),
    tier: found[0]?.tier ?? "private",
    instanceTypes: unique([...types, text(template, "instanceType")].filter((each) => each !== "")),
    machines: [],
    scaling: [
      {
        zones,
        min: numberOf(outputs, "minSize") ?? 0,
        max: numberOf(outputs, "maxSize") ?? 0,
        desired: numberOf(outputs, "desiredCapacity"),
      },
    ],
    zones,
    party,
  };
}

/** Merges the groups of one pool, which has one per zone. */
function joined(one: MachineGroup, other: MachineGroup): MachineGroup {
  return {
    ...one,
    instanceTypes: unique([...one.instanceTypes, ...other.instanceTypes]),
    scaling: [...one.scaling, ...other.scaling],
    zones: unique([...one.zones, ...other.zones]),
  };
}

/** The name of the machines' component. */
function groupName({ name, parent }: StackResource): string {
  const component = nameOf(parent);
  return component === "" || parent.includes("::pulumi:pulumi:Stack::") ? name : component;
}

/**
 * A subnet of another owner counts as public if a machine in it has a public address. A stopped one has none.
 */
function tierOf(
  { outputs }: StackResource,
  instances: readonly StackResource[],
  subnets: Subnets,
): Tier {
  const subnet = text(outputs, "subnetId");
  const isPublic = instances.some(
    (each) => text(each.outputs, "subnetId") === subnet && text(each.outputs, "publicIp") !== "",
  );
  return subnets.get(subnet)?.tier ?? (isPublic ? "public" : "private");
}

function roleOf(parent: string, name: string): MachineGroup["role"] {
  return parent.includes(":ControlPlane::") || /control-?plane/i.test(name)
    ? "controlplane"
    : "worker";
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
