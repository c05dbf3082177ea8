import { DEFAULT_CONTROL_PLANE_TYPE, DEFAULT_MACHINE_COUNT } from "../controlPlane/controlPlane";
import type { ApiExposure } from "../firewall/firewallArgs";
import type { NatStrategy } from "../network/planNatGateways";
import { HOURS_PER_MONTH, PRICES, usdPerInstanceHour, usdPerVolumeMonth } from "./prices";

/** The arguments of a machine that cost money; see `TalosClusterArgs`. */
interface MachineCostChoices {
  /** Default: `m6i.large`. */
  readonly instanceType?: string | undefined;
  /** GiB of the root volume. Default: 50. */
  readonly rootVolumeSizeGib?: number | undefined;
  /** Subnets; machines in private ones have no public address. Default: `public`. */
  readonly subnets?: "public" | "private" | undefined;
  /** Default: false. */
  readonly detailedMonitoring?: boolean | undefined;
}

/** The arguments of a gp3 volume that cost money. */
export interface VolumeCostChoices {
  readonly sizeGib: number;
  /** Operations a second. Default: 3000, which are included. */
  readonly iops?: number | undefined;
  /** MiB a second. Default: 125, which are included. */
  readonly throughputMib?: number | undefined;
}

/** The arguments of a worker pool that cost money. */
export interface WorkerPoolCostChoices extends MachineCostChoices {
  /** Default: none, as `autoScaling` says how many. */
  readonly machineCount?: number | undefined;
  readonly autoScaling?: { readonly minSize: number; readonly maxSize: number } | undefined;
}

/** The arguments of a cluster that cost money. */
export interface ClusterCostChoices extends MachineCostChoices {
  /** Number of availability zones. */
  readonly zoneCount: number;
  /** Control plane machines. Default: 3. */
  readonly machineCount?: number | undefined;
  /** A separate volume for each machine's data. Default: none. */
  readonly etcdVolume?: VolumeCostChoices | undefined;
  /** Default: `public`. */
  readonly exposure?: ApiExposure | undefined;
  /** Default: `none`. */
  readonly nat?: NatStrategy | undefined;
  /** Whether a hosted zone is created. Default: false. */
  readonly createZone?: boolean | undefined;
  /** The destination of flow logs. Default: none. */
  readonly flowLogs?: { readonly bucketArn?: unknown; readonly logGroupArn?: unknown } | undefined;
  /** Whether snapshots of etcd are kept in S3. Default: false. */
  readonly etcdBackup?: boolean | undefined;
  /** By their names. Default: none. */
  readonly workerPools?: Readonly<Record<string, WorkerPoolCostChoices>> | undefined;
}

/** One item of the cost. */
export interface CostLine {
  /** For example `3 machines t3.large`. */
  readonly what: string;
  /**
   * US dollars per month, the minimum if it varies; undefined if the price table has no price, or
   * if it depends only on use.
   */
  readonly usdPerMonth: number | undefined;
  /** The maximum. Default: it doesn't vary. */
  readonly usdPerMonthAtMost?: number;
  /** The price per use, if that is the only cost: `$0.50 a GB`. */
  readonly rate?: string;
}

const DEFAULT_ROOT_VOLUME_GIB = 50;

/** A number of equal items. */
interface Count {
  readonly least: number;
  readonly most: number;
}

/**
 * The monthly cost of a running cluster, without what depends on its use: traffic, the load
 * balancer's capacity units, DNS queries, volumes and load balancers that Kubernetes creates.
 * Machines count at full price; spot prices are lower and change daily. It uses `PRICES` for every
 * region.
 */
export function planClusterCost(choices: ClusterCostChoices): readonly CostLine[] {
  const { zoneCount, machineCount = DEFAULT_MACHINE_COUNT, etcdVolume, createZone } = choices;
  const { exposure = "public", nat = "none" } = choices;
  const isPublic = exposure === "public" || exposure === "both";
  const balancers = { public: 1, internal: 1, both: 2, direct: 0 }[exposure];
  const gateways = { none: 0, single: 1, perZone: zoneCount }[nat];
  // With both load balancers, a private zone resolves the name to the internal one.
  const zones = (createZone === true ? 1 : 0) + (exposure === "both" ? 1 : 0);
  const ownAddresses = choices.subnets === "private" ? 0 : machineCount;
  const addresses = ownAddresses + (isPublic ? zoneCount : 0) + gateways;
  return [
    ...planMachineCost(exactly(machineCount), choices, ""),
    ...(etcdVolume === undefined
      ? []
      : line(exactly(machineCount), "volume", usdPerVolumeMonth(etcdVolume), {
          kind: `of ${etcdVolume.sizeGib} GiB for etcd`,
        })),
    ...line(exactly(balancers), "load balancer", hourly(PRICES.usdPerLoadBalancerHour)),
    ...line(exactly(gateways), "NAT gateway", hourly(PRICES.usdPerNatGatewayHour)),
    ...line(exactly(addresses), "public address", hourly(PRICES.usdPerPublicAddressHour)),
    ...line(exactly(zones), "hosted zone", PRICES.usdPerHostedZoneMonth),
    ...Object.entries(choices.workerPools ?? {}).flatMap(([name, pool]) =>
      planPoolCost(name, pool),
    ),
    ...planFlowLogsCost(choices),
    ...planBackupCost(choices),
  ];
}

function planPoolCost(name: string, pool: WorkerPoolCostChoices): CostLine[] {
  const { machineCount = 0, autoScaling } = pool;
  const count = autoScaling
    ? { least: autoScaling.minSize, most: autoScaling.maxSize }
    : exactly(machineCount);
  const before = `pool ${name}: `;
  const addresses = pool.subnets === "private" ? exactly(0) : count;
  return [
    ...planMachineCost(count, pool, before),
    ...line(addresses, "public address", hourly(PRICES.usdPerPublicAddressHour), { before }),
  ];
}

function planMachineCost(count: Count, choices: MachineCostChoices, before: string): CostLine[] {
  const {
    instanceType = DEFAULT_CONTROL_PLANE_TYPE,
    rootVolumeSizeGib: gib = DEFAULT_ROOT_VOLUME_GIB,
    detailedMonitoring = false,
  } = choices;
  const kind = `of ${gib} GiB`;
  return [
    ...line(count, "machine", hourly(usdPerInstanceHour(instanceType)), {
      kind: instanceType,
      before,
    }),
    ...line(count, "volume", usdPerVolumeMonth({ sizeGib: gib }), { kind, before }),
    ...(detailedMonitoring
      ? line(count, "machine", PRICES.usdPerMonitoredMachineMonth, { kind: "monitored", before })
      : []),
  ];
}

function planFlowLogsCost({ flowLogs }: ClusterCostChoices): CostLine[] {
  if (flowLogs === undefined) {
    return [];
  }
  const { bucket, logGroup } = PRICES.usdPerFlowLogsGb;
  const perGb = flowLogs.bucketArn === undefined ? logGroup : bucket;
  return [{ what: "flow logs", usdPerMonth: undefined, rate: `$${perGb.toFixed(2)} a GB` }];
}

function planBackupCost({ etcdBackup = false }: ClusterCostChoices): CostLine[] {
  const rate = `$${PRICES.usdPerBucketGbMonth.toFixed(3)} a GB`;
  return etcdBackup ? [{ what: "snapshots of etcd in S3", usdPerMonth: undefined, rate }] : [];
}

/** The lines as text, with their sum and the source of the prices. */
export function describeClusterCost(lines: readonly CostLine[]): string {
  const least = lines.reduce((total, { usdPerMonth = 0 }) => total + usdPerMonth, 0);
  const most = lines.reduce(
    (total, { usdPerMonth = 0, usdPerMonthAtMost = usdPerMonth }) => total + usdPerMonthAtMost,
    0,
  );
  const isUnknown = lines.some(
    ({ usdPerMonth, rate }) => usdPerMonth === undefined && rate === undefined,
  );
  const rows = lines.map(({ what, usdPerMonth, usdPerMonthAtMost = usdPerMonth, rate }) => {
    if (usdPerMonth === undefined || usdPerMonthAtMost === undefined) {
      return `  ${what}: ${rate ?? "not in the price table, see https://aws.amazon.com/ec2/pricing/"}`;
    }
    return `  ${what}: ${range(usdPerMonth, usdPerMonthAtMost)}`;
  });
  const total = `${isUnknown ? "more than" : "about"} ${range(least, most)} a month`;
  return [`costs ${total}, traffic on top (${PRICES.source}):`, ...rows].join("\n");
}

function line(
  { least, most }: Count,
  thing: string,
  usdEach: number | undefined,
  { kind, before = "" }: { kind?: string; before?: string } = {},
): CostLine[] {
  if (most === 0) {
    return [];
  }
  const plural = thing.endsWith("ss") ? `${thing}es` : `${thing}s`;
  const number = least === most ? `${most}` : `${least} to ${most}`;
  const things = most === 1 ? thing : plural;
  const what = `${before}${number} ${things}${kind === undefined ? "" : ` ${kind}`}`;
  if (usdEach === undefined) {
    return [{ what, usdPerMonth: undefined }];
  }
  const atMost = least === most ? {} : { usdPerMonthAtMost: usdEach * most };
  return [{ what, usdPerMonth: usdEach * least, ...atMost }];
}

function exactly(count: number): Count {
  return { least: count, most: count };
}

function hourly(price: number): number;
function hourly(price: number | undefined): number | undefined;
function hourly(price: number | undefined): number | undefined {
  return price === undefined ? undefined : price * HOURS_PER_MONTH;
}

function range(least: number, most: number): string {
  return dollars(least) === dollars(most)
    ? dollars(least)
    : `${dollars(least)} to ${dollars(most)}`;
}

function dollars(amount: number): string {
  return amount > 0 && amount < 1 ? `$${amount.toFixed(2)}` : `$${Math.round(amount)}`;
}
