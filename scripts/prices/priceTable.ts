import { SIZE_OF_LARGE, sizeMultiple } from "../../preview/instanceSizes";
import { type ListedPrices, type ListedRegions, NEAR_USD } from "./listedPrices";

/** The table of prices, as previews read it. */
export interface PriceTable {
  /** The sizes of each family in any region, `large xlarge 24xlarge metal`. */
  readonly sizes: Readonly<Record<string, string>>;
  readonly regions: Readonly<Record<string, RegionTable>>;
}

/** The prices of a region. */
export interface RegionTable {
  readonly date: string;
  /**
   * A line for each family: the price of its size `large`, the price of each size whose price is no multiple of that, and the
   * sizes that the region lacks: `0.115 metal=5.6 -24xlarge`.
   */
  readonly families: Readonly<Record<string, string>>;
  /** The same of families whose price is estimated (`estimatedPrices.ts`). */
  readonly estimates: Readonly<Record<string, string>>;
}

/** The prices of a family, by size. */
type Sizes = ReadonlyMap<string, number>;

/** The table of the prices in all regions, in an order that does not depend on that of the source. */
export function priceTable(listed: ListedRegions, estimated: ListedRegions): PriceTable {
  const regions = sorted(
    [...listed].map(([region, { date, usdPerHour }]) => {
      const estimates = byFamily(estimated.get(region)?.usdPerHour ?? new Map<string, number>());
      return [region, { date, families: byFamily(usdPerHour), estimates }] as const;
    }),
  );
  const sizes = allSizes(regions.flatMap(([, { families, estimates }]) => [families, estimates]));
  return {
    sizes: Object.fromEntries(
      sorted([...sizes].map(([family, all]) => [family, all.join(" ")] as const)),
    ),
    regions: Object.fromEntries(
      regions.map(([region, { date, families, estimates }]) => [
        region,
        { date, families: linesOf(families, sizes), estimates: linesOf(estimates, sizes) },
      ]),
    ),
  };
}

type Families = ReadonlyMap<string, Sizes>;

function linesOf(
  families: Families,
  sizes: ReadonlyMap<string, readonly string[]>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sorted(
      [...families].map(([family, own]) => [family, lineOf(own, sizes.get(family) ?? [])] as const),
    ),
  );
}

function byFamily(usdPerHour: ListedPrices["usdPerHour"]): Families {
  const families = new Map<string, Map<string, number>>();
  for (const [type, usd] of usdPerHour) {
    const [family = "", size = ""] = type.split(".");
    families.set(family, (families.get(family) ?? new Map<string, number>()).set(size, usd));
  }
  return families;
}

/** The sizes of each family in any region, from the smallest on. */
function allSizes(regions: readonly Families[]): ReadonlyMap<string, readonly string[]> {
  const cheapest = new Map<string, Map<string, number>>();
  for (const [family, sizes] of regions.flatMap((families) => [...families])) {
    const all = cheapest.get(family) ?? new Map<string, number>();
    for (const [size, usd] of sizes) {
      all.set(size, Math.min(usd, all.get(size) ?? usd));
    }
    cheapest.set(family, all);
  }
  return new Map(
    [...cheapest].map(([family, all]) => {
      const order = [...all].toSorted(
        ([size, usd], [other, otherUsd]) => usd - otherUsd || size.localeCompare(other, "en"),
      );
      return [family, order.map(([size]) => size)];
    }),
  );
}

function lineOf(sizes: Sizes, all: readonly string[]): string {
  const large = usualPrice(sizes);
  const exceptions = all.flatMap((size) => {
    const usd = sizes.get(size);
    if (usd === undefined) {
      return [`-${size}`];
    }
    return isMultiple(size, usd, large) ? [] : [`${size}=${usd}`];
  });
  return [large, ...exceptions].join(" ");
}

function isMultiple(size: string, usd: number, large: number): boolean {
  const multiple = sizeMultiple(size);
  return multiple !== undefined && Math.abs(multiple * large - usd) < NEAR_USD;
}

/** The price of `large` by which most sizes are priced. Of a large size it is the most exact. */
function usualPrice(sizes: Sizes): number {
  const own = sizes.get(SIZE_OF_LARGE);
  const computed = [...sizes].flatMap(([size, usd]) => {
    const multiple = sizeMultiple(size);
    return multiple === undefined ? [] : [Number((usd / multiple).toFixed(7))];
  });
  const fits = (large: number) =>
    [...sizes].filter(([size, usd]) => isMultiple(size, usd, large)).length;
  const [best = 0] = [...(own === undefined ? [] : [own]), ...computed].toSorted(
    (one, other) => fits(other) - fits(one),
  );
  return best;
}

function sorted<T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
