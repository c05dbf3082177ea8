import { SIZE_OF_LARGE, sizeMultiple } from "../../preview/instanceSizes";

/** What a source says of a region: its date, and the hourly prices by instance type. */
export interface ListedPrices {
  /** `2026-07-20`. */
  readonly date: string;
  readonly usdPerHour: ReadonlyMap<string, number>;
}

/** As close as a multiple must be to the listed price: AWS rounds some to a hundredth of a cent. */
const NEAR_USD = 0.00006;

/**
 * The on-demand prices of Linux machines in the generated Go table of Karpenter's AWS provider.
 *
 * @throws Error if the text is no such table
 */
export function readListedPrices(go: string): ListedPrices {
  const [, date] = /generated at (\d{4}-\d\d-\d\d)T\S+ for us-east-1/.exec(go) ?? [];
  const usdPerHour = new Map(
    [...go.matchAll(/"([a-z0-9-]+\.[a-z0-9-]+)": (\d+\.\d+)/g)].map(
      ([, type = "", usd = ""]) => [type, Number(usd)] as const,
    ),
  );
  if (date === undefined || usdPerHour.size === 0) {
    throw new Error("this is no table of prices for us-east-1, as Karpenter generates it");
  }
  return { date, usdPerHour };
}

/**
 * A line for each family: the price of its size `large`, its sizes, and the price of each size whose price is no multiple
 * of that. `medium large xlarge metal=3.5`.
 */
export function familyLines({ usdPerHour }: ListedPrices): Readonly<Record<string, string>> {
  const families = new Map<string, [size: string, usd: number][]>();
  for (const [type, usd] of usdPerHour) {
    const [family = "", size = ""] = type.split(".");
    families.set(family, [...(families.get(family) ?? []), [size, usd]]);
  }
  return Object.fromEntries(
    [...families]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([family, sizes]) => [family, lineOf(sizes)] as const),
  );
}

function lineOf(sizes: readonly (readonly [string, number])[]): string {
  const large = usualPrice(sizes);
  const written = sizes
    .toSorted(([, one], [, other]) => one - other)
    .map(([size, usd]) => {
      const multiple = sizeMultiple(size);
      const isMultiple = multiple !== undefined && Math.abs(multiple * large - usd) < NEAR_USD;
      return isMultiple ? size : `${size}=${usd}`;
    });
  return [large, ...written].join(" ");
}

/** The price of `large` by which most sizes are priced. Of a large size it is the most exact. */
function usualPrice(sizes: readonly (readonly [string, number])[]): number {
  const own = sizes.find(([size]) => size === SIZE_OF_LARGE)?.[1];
  const computed = sizes.flatMap(([size, usd]) => {
    const multiple = sizeMultiple(size);
    return multiple === undefined ? [] : [Number((usd / multiple).toFixed(7))];
  });
  const fits = (large: number) =>
    sizes.filter(([size, usd]) => Math.abs((sizeMultiple(size) ?? 0) * large - usd) < NEAR_USD)
      .length;
  const [best = 0] = [...(own === undefined ? [] : [own]), ...computed].toSorted(
    (one, other) => fits(other) - fits(one),
  );
  return best;
}
