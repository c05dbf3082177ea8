import { karpenterCost } from "./karpenterCost";
import { KARPENTER_POOL } from "./karpenterPools";
import { documentAt, type PreviewedResource, type Properties } from "./previewedResource";
import { HOURS_PER_MONTH, PRICES, usdPerInstanceHour, usdPerVolumeMonth } from "./prices";

/** The monthly cost of a stack's resources. */
export interface MonthlyCost {
  /**
   * US dollars, without what depends on use, such as traffic; groups count with their fewest
   * machines.
   */
  readonly usd: number;
  /** The same; groups count with their most machines. */
  readonly usdAtMost: number;
  /** Items without a price in the table, for example `m7i.48xlarge`. */
  readonly unpriced: readonly string[];
}

/** The cost of the stack before and after the change; it uses `PRICES` for every region. */
export function planCost(resources: readonly PreviewedResource[]) {
  const cost = (which: "oldInputs" | "newInputs") =>
    sum(resources.flatMap((resource) => costOf(resource, which, resources)));
  return { before: cost("oldInputs"), after: cost("newInputs") };
}

/** A monthly price, minimum and maximum; a name if the table has no price for it. */
type Price = { readonly least: number; readonly most: number } | string;

const fixed = (usd: number): Price => ({ least: usd, most: usd });
const hourly = (usd: number): Price => fixed(usd * HOURS_PER_MONTH);

function costOf(
  resource: PreviewedResource,
  which: "oldInputs" | "newInputs",
  resources: readonly PreviewedResource[],
): readonly Price[] {
  const { type, parent, [which]: inputs } = resource;
  if (Object.keys(inputs).length === 0) {
    return [];
  }
  switch (type) {
    case "aws:ec2/instance:Instance": {
      const root = documentAt(inputs, "rootBlockDevice") ?? {};
      const isPublic = inputs.associatePublicIpAddress === true;
      const volumes = [root, ...blocks(inputs.ebsBlockDevices)];
      return machine(inputs.instanceType, volumes, isPublic, inputs.monitoring === true);
    }
    case "aws:autoscaling/group:Group": {
      const template = resources.find(
        (other) =>
          other.type === "aws:ec2/launchTemplate:LaunchTemplate" && other.parent === parent,
      );
      return group(inputs, template?.[which] ?? {});
    }
    case KARPENTER_POOL:
      return karpenterPool(inputs);
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
function karpenterPool(inputs: Properties): readonly Price[] {
  const { usdPerHour, usdPerMonth } = karpenterCost(inputs);
  return usdPerHour === undefined
    ? ["machines of Karpenter"]
    : [{ least: 0, most: usdPerHour * HOURS_PER_MONTH + usdPerMonth }];
}

/** The on-demand cost of a group's machines, from its fewest to its most. */
function group(inputs: Properties, template: Properties): readonly Price[] {
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
  return machine(template.instanceType, volumes, isPublic, isMonitored).map((price) =>
    typeof price === "string"
      ? price
      : { least: price.least * minSize, most: price.most * maxSize },
  );
}

function machine(
  instanceType: unknown,
  volumes: readonly Properties[],
  isPublic: boolean,
  isMonitored: boolean,
): readonly Price[] {
  return [
    ...instance(instanceType),
    ...volumes.flatMap(volume),
    ...(isPublic ? [hourly(PRICES.usdPerPublicAddressHour)] : []),
    ...(isMonitored ? [fixed(PRICES.usdPerMonitoredMachineMonth)] : []),
  ];
}

function blocks(list: unknown): readonly Properties[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return items.flatMap((block): Properties[] => {
    const found = documentAt({ block }, "block");
    return found === undefined ? [] : [found];
  });
}

function first(list: unknown): Properties {
  return blocks(list)[0] ?? {};
}

function instance(type: unknown): readonly Price[] {
  const name = typeof type === "string" ? type : "an instance type that isn't known yet";
  const usd = usdPerInstanceHour(name);
  return [usd === undefined ? name : hourly(usd)];
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
  };
}
