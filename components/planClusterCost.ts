import { DEFAULT_CONTROL_PLANE_TYPE, DEFAULT_MACHINE_COUNT } from "./controlPlane";
import type { ApiExposure } from "./firewallArgs";
import type { NatStrategy } from "./planNatGateways";
import { HOURS_PER_MONTH, PRICES } from "./prices";

/** What of a cluster costs money. */
export interface ClusterCostChoices {
  /** How many availability zones it spans. */
  readonly zoneCount: number;
  /** Default: 3. */
  readonly machineCount?: number | undefined;
  /** Default: `m6i.large`. */
  readonly instanceType?: string | undefined;
  /** GiB of each machine's root volume. */
  readonly rootVolumeSizeGib: number;
  /** Default: `public`. */
  readonly exposure?: ApiExposure | undefined;
  /** Default: `none`. */
  readonly nat?: NatStrategy | undefined;
  /** Whether a hosted zone is made for the name. Default: false. */
  readonly createZone?: boolean | undefined;
}

/** One kind of thing that costs money by the month. */
export interface CostLine {
  /** For example `3 machines t3.large`. */
  readonly what: string;
  /** US dollars a month; undefined where the price table has no price. */
  readonly usdPerMonth: number | undefined;
}

/**
 * What a cluster costs a month while it runs, without what depends on its use: traffic, the load
 * balancer's capacity units, queries of its name, logs, volumes and load balancers that Kubernetes
 * makes. By the prices of `PRICES`, whatever the region.
 */
export function planClusterCost(choices: ClusterCostChoices): readonly CostLine[] {
  const {
    zoneCount,
    machineCount = DEFAULT_MACHINE_COUNT,
    instanceType = DEFAULT_CONTROL_PLANE_TYPE,
    rootVolumeSizeGib,
    exposure = "public",
    nat = "none",
    createZone = false,
  } = choices;
  const isPublic = exposure === "public" || exposure === "both";
  const balancers = { public: 1, internal: 1, both: 2, direct: 0 }[exposure];
  const gateways = { none: 0, single: 1, perZone: zoneCount }[nat];
  // With both entrances a private zone leads the network to the internal one.
  const zones = (createZone ? 1 : 0) + (exposure === "both" ? 1 : 0);
  const addresses = machineCount + (isPublic ? zoneCount : 0) + gateways;
  const hourly = (price: number | undefined) =>
    price === undefined ? undefined : price * HOURS_PER_MONTH;
  const lines = [
    line(machineCount, `machine`, hourly(PRICES.usdPerInstanceHour[instanceType]), instanceType),
    line(
      machineCount,
      `volume`,
      rootVolumeSizeGib * PRICES.usdPerGibMonth,
      `of ${rootVolumeSizeGib} GiB`,
    ),
    line(balancers, `load balancer`, hourly(PRICES.usdPerLoadBalancerHour)),
    line(gateways, `NAT gateway`, hourly(PRICES.usdPerNatGatewayHour)),
    line(addresses, `public address`, hourly(PRICES.usdPerPublicAddressHour)),
    line(zones, `hosted zone`, PRICES.usdPerHostedZoneMonth),
  ];
  return lines.flat();
}

/** The lines as a person reads them, with their sum and where the prices are from. */
export function describeClusterCost(lines: readonly CostLine[]): string {
  const sum = lines.reduce((total, { usdPerMonth = 0 }) => total + usdPerMonth, 0);
  const unknown = lines.some(({ usdPerMonth }) => usdPerMonth === undefined);
  const rows = lines.map(({ what, usdPerMonth }) =>
    usdPerMonth === undefined
      ? `  ${what}: not in the price table, see https://aws.amazon.com/ec2/pricing/`
      : `  ${what}: ${dollars(usdPerMonth)}`,
  );
  const total = `${unknown ? "more than" : "about"} ${dollars(sum)} a month`;
  return [`costs ${total}, traffic on top (${PRICES.source}):`, ...rows].join("\n");
}

function line(
  count: number,
  thing: string,
  usdEach: number | undefined,
  kind?: string,
): CostLine[] {
  const plural = thing.endsWith("ss") ? `${thing}es` : `${thing}s`;
  const what = `${count} ${count === 1 ? thing : plural}${kind === undefined ? "" : ` ${kind}`}`;
  return count === 0
    ? []
    : [{ what, usdPerMonth: usdEach === undefined ? undefined : usdEach * count }];
}

function dollars(amount: number): string {
  return amount < 1 ? `$${amount.toFixed(2)}` : `$${Math.round(amount)}`;
}
