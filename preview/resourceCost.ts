import { isMapping } from "../provider/base";
import { isEstimate, priceDate, usdPerInstanceHour } from "./instancePrices";
import { karpenterCost } from "./karpenterCost";
import { KARPENTER_POOL } from "./karpenterPools";
import { documentAt, type PreviewedResource, type Properties } from "./previewedResource";
import { HOURS_PER_MONTH, PRICES, usdPerVolumeMonth } from "./prices";
import { type FindRegion, regionFinder, type Side } from "./resourceRegion";

/** The monthly cost of a stack's resources. */
export interface MonthlyCost {
  /**
   * US dollars, without what depends on use, such as traffic; groups count with their fewest
   * machines.
   */
  readonly usd: number;
  /** The same; groups count with their most machines. */
  readonly usdAtMost: number;
  /** Items without a known price, for example `m8i.large in eu-central-1`. They count as nothing. */
  readonly unpriced: readonly string[];
  /** Items whose price is an estimate (`isEstimate`), for example `m8i.large in eu-central-1`. */
  readonly estimated: readonly string[];
}

/** The cost of a stack before and after a change. */
export interface CostChange {
  readonly before: MonthlyCost;
  readonly after: MonthlyCost;
  /** The regions whose prices these are, sorted. */
  readonly regions: readonly string[];
}

/** The cost of the stack before and after the change, by the prices of instances in each resource's region and by `PRICES`. */
export function planCost(resources: readonly PreviewedResource[]): CostChange {
  const regionOf = regionFinder(resources);
  const [before, after] = [
    pricedResources(resources, "oldInputs", regionOf),
    pricedResources(resources, "newInputs", regionOf),
  ];
  return {
    before: sum(before.flatMap(({ prices }) => prices)),
    after: sum(after.flatMap(({ prices }) => prices)),
    regions: [...new Set([...before, ...after].flatMap(({ region }) => region ?? []))].sort(),
  };
}

interface PricedResource {
  readonly prices: readonly Price[];
  /** Of the table. */
  readonly region?: string;
}

/** What resources cost on a side of the change, and in which region of the table. */
function pricedResources(
  resources: readonly PreviewedResource[],
  side: Side,
  regionOf: FindRegion,
): readonly PricedResource[] {
  return resources.flatMap((resource): PricedResource[] => {
    const region = regionOf(resource, side);
    const prices = costOf(resource, side, { resources, region: region ?? "" });
    if (prices.length === 0) {
      return [];
    }
    return region !== undefined && priceDate(region) !== undefined
      ? [{ prices, region }]
      : [{ prices: [`the resources in ${region ?? "a region that isn't known yet"}`] }];
  });
}

/** A monthly price, minimum and maximum; a name if the table has no price for it. */
type Price = KnownPrice | string;

interface KnownPrice {
  readonly least: number;
  readonly most: number;
  /** What it is the price of, if it is an estimate. */
  readonly estimated?: readonly string[];
}

const fixed = (usd: number): KnownPrice => ({ least: usd, most: usd });
const hourly = (usd: number): KnownPrice => fixed(usd * HOURS_PER_MONTH);

/** Where a resource is, and those beside it. */
interface Place {
  readonly region: string;
  readonly resources: readonly PreviewedResource[];
}

function costOf(resource: PreviewedResource, side: Side, place: Place): readonly Price[] {
  const { region, resources } = place;
  const { type, parent, [side]: inputs } = resource;
  if (Object.keys(inputs).length === 0) {
    return [];
  }
  switch (type) {
    case "aws:ec2/instance:Instance": {
      const root = documentAt(inputs, "rootBlockDevice") ?? {};
      const isPublic = inputs.associatePublicIpAddress === true;
      const volumes = [root, ...blocks(inputs.ebsBlockDevices)];
      const isMonitored = inputs.monitoring === true;
      return machine(inputs.instanceType, { region, volumes, isPublic, isMonitored });
    }
    case "aws:autoscaling/group:Group": {
      const template = resources.find(
        (other) =>
          other.type === "aws:ec2/launchTemplate:LaunchTemplate" && other.parent === parent,
      );
      return group(inputs, template?.[side] ?? {}, region);
    }
    case KARPENTER_POOL:
      return karpenterPool(inputs, region);
    case "aws:ebs/volume:Volume":
      return volume({ ...inputs, volumeSize: inputs.size, volumeType: inputs.type });
    case "aws:lb/loadBalancer:LoadBalancer": {
      const subnets = Array.isArray(inputs.subnets) ? inputs.subnets.length : 0;
      const addresses = inputs.internal === true ? 0 : subnets;
      return [
        hourly(PRICES.usdPerLoadBalancerHour),
        hourly(addresses * PRICES.usdPerPublicAddressHour),
      ];
    }
    case "aws:ec2/natGateway:NatGateway":
      return [hourly(PRICES.usdPerNatGatewayHour)];
    case "aws:ec2/vpcEndpoint:VpcEndpoint": {
      const subnets = Array.isArray(inputs.subnetIds) ? inputs.subnetIds.length : 0;
      return inputs.vpcEndpointType === "Interface"
        ? [hourly(subnets * PRICES.usdPerInterfaceEndpointHour)]
        : [];
    }
    case "aws:ec2/eip:Eip":
      return [hourly(PRICES.usdPerPublicAddressHour)];
    case "aws:route53/zone:Zone":
      return [fixed(PRICES.usdPerHostedZoneMonth)];
    default:
      return [];
  }
}

/** The cost of a pool of Karpenter, from no machine to all that its limits allow. */
function karpenterPool(inputs: Properties, region: string): readonly Price[] {
  const { usdPerHour, usdPerMonth, unpriced, estimated } = karpenterCost(inputs, region);
  const machinesOf = (family: string) => `${family} machines of Karpenter in ${region}`;
  const families = unpriced.map(machinesOf);
  return usdPerHour === undefined
    ? [...families, ...(families.length === 0 ? [`machines of Karpenter in ${region}`] : [])]
    : [
        {
          least: 0,
          most: usdPerHour * HOURS_PER_MONTH + usdPerMonth,
          estimated: estimated.map(machinesOf),
        },
        ...families,
      ];
}

/** The on-demand cost of a group's machines, from its fewest to its most. */
function group(inputs: Properties, template: Properties, region: string): readonly Price[] {
  const { minSize, maxSize } = inputs;
  if (typeof minSize !== "number" || typeof maxSize !== "number") {
    return ["a group whose size isn't known yet"];
  }
  const volumes = blocks(template.blockDeviceMappings).map(
    (mapping) => documentAt(mapping, "ebs") ?? {},
  );
  const { associatePublicIpAddress } = first(template.networkInterfaces);
  const isPublic = String(associatePublicIpAddress) === "true";
  const isMonitored = documentAt(template, "monitoring")?.enabled === true;
  return machine(template.instanceType, { region, volumes, isPublic, isMonitored }).map((price) =>
    typeof price === "string"
      ? price
      : { ...price, least: price.least * minSize, most: price.most * maxSize },
  );
}

/** What a machine's price depends on besides its type. */
interface MachineParts {
  readonly region: string;
  readonly volumes: readonly Properties[];
  readonly isPublic: boolean;
  readonly isMonitored: boolean;
}

function machine(
  instanceType: unknown,
  { region, volumes, isPublic, isMonitored }: MachineParts,
): readonly Price[] {
  return [
    instance(instanceType, region),
    ...volumes.flatMap(volume),
    ...(isPublic ? [hourly(PRICES.usdPerPublicAddressHour)] : []),
    ...(isMonitored ? [fixed(PRICES.usdPerMonitoredMachineMonth)] : []),
  ];
}

function blocks(list: unknown): readonly Properties[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return items.filter(isMapping);
}

function first(list: unknown): Properties {
  return blocks(list)[0] ?? {};
}

function instance(type: unknown, region: string): Price {
  if (typeof type !== "string") {
    return "an instance type that isn't known yet";
  }
  const usd = usdPerInstanceHour(type, region);
  const name = `${type} in ${region}`;
  const [family = ""] = type.split(".");
  return usd === undefined
    ? name
    : { ...hourly(usd), estimated: isEstimate(family, region) ? [name] : [] };
}

function volume({ volumeSize, volumeType, iops, throughput }: Properties): readonly Price[] {
  if (typeof volumeType === "string" && volumeType !== "gp3") {
    return [`${volumeType} volumes`];
  }
  const numberOr = (value: unknown) => (typeof value === "number" ? value : undefined);
  const sizeGib = numberOr(volumeSize);
  return sizeGib === undefined
    ? []
    : [
        fixed(
          usdPerVolumeMonth({ sizeGib, iops: numberOr(iops), throughputMib: numberOr(throughput) }),
        ),
      ];
}

function sum(prices: readonly Price[]): MonthlyCost {
  const priced = prices.filter((price) => typeof price !== "string");
  return {
    usd: priced.reduce((total, { least }) => total + least, 0),
    usdAtMost: priced.reduce((total, { most }) => total + most, 0),
    unpriced: [...new Set(prices.filter((price) => typeof price === "string"))].sort(),
    estimated: [...new Set(priced.flatMap(({ estimated = [] }) => estimated))].sort(),
  };
}
