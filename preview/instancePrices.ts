import table from "./gen/instancePrices.json";
import { sizeMultiple } from "./instanceSizes";

/** What the table has of a region. `scripts/prices/priceTable.ts` says how it is written. */
interface RegionTable {
  readonly date: string;
  readonly families: Readonly<Record<string, string>>;
  readonly estimates: Readonly<Record<string, string>>;
}

const sizes: Readonly<Record<string, string>> = table.sizes;
const regions: Readonly<Record<string, RegionTable>> = table.regions;

/** The day of a region's prices, `2026-07-20`; undefined for a region that isn't in the table, such as one in China. */
export function priceDate(region: string): string | undefined {
  return own(regions, region)?.date;
}

/**
 * The hourly price of a machine with Linux in a region; undefined if it isn't in the table. Sources: the table of Karpenter's
 * AWS provider and the list of ec2instances.info, which both come from AWS' price list (`scripts/recordPrices.ts`). A newer
 * family may have an estimate (`isEstimate`).
 */
export function usdPerInstanceHour(instanceType: string, region: string): number | undefined {
  const [family = "", size = ""] = instanceType.split(".");
  const [large, exceptions] = lineOf(family, region);
  const exception = exceptions.find((each) => each.startsWith(`${size}=`));
  if (exception !== undefined) {
    return Number(exception.slice(size.length + 1));
  }
  const isThere =
    own(sizes, family)?.split(" ").includes(size) === true && !exceptions.includes(`-${size}`);
  const multiple = sizeMultiple(size);
  return large === undefined || multiple === undefined || !isThere ? undefined : large * multiple;
}

/**
 * Whether the price of a family in a region is estimated: by its price in us-east-1, and by what the older family of its kind
 * costs in both regions (`scripts/prices/estimatedPrices.ts`).
 */
export function isEstimate(family: string, region: string): boolean {
  return own(own(regions, region)?.estimates ?? {}, family) !== undefined;
}

/** The families of instance types that have a price in a region, listed or estimated. */
export function pricedFamilies(region: string): readonly string[] {
  return Object.keys(linesOf(region));
}

/**
 * The hourly price of a virtual processor of a family in a region, by its size `large`, which has two; undefined if it isn't in
 * the table.
 */
export function usdPerProcessorHour(family: string, region: string): number | undefined {
  const [large] = lineOf(family, region);
  return large === undefined ? undefined : large / 2;
}

/** What a region's line says of a family: the price of `large`, and the sizes that differ. */
function lineOf(
  family: string,
  region: string,
): readonly [large: number | undefined, exceptions: readonly string[]] {
  const [large, ...exceptions] = own(linesOf(region), family)?.split(" ") ?? [];
  return [large === undefined ? undefined : Number(large), exceptions];
}

function linesOf(region: string): Readonly<Record<string, string>> {
  const { families = {}, estimates = {} } = own(regions, region) ?? {};
  return { ...estimates, ...families };
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
