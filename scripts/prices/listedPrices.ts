/** The hourly on-demand prices of Linux machines in a region, by instance type. */
export interface ListedPrices {
  /** When the source read AWS' list: `2026-07-20`. */
  readonly date: string;
  readonly usdPerHour: ReadonlyMap<string, number>;
}

/** What a source says, by region. */
export type ListedRegions = ReadonlyMap<string, ListedPrices>;

/** As close as two prices must be to be the same: AWS rounds some to a hundredth of a cent. */
export const NEAR_USD = 0.00006;

/** A region, not a local zone (`us-east-1-dfw-1`) or a zone of a carrier (`us-east-1-wl1`). */
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

/**
 * The prices in a generated Go table of Karpenter's AWS provider, without those of bare metal: it asks for these with dedicated
 * tenancy, which costs up to 10% more (`pkg/providers/pricing/pricing.go`, v1.15.2).
 *
 * @throws Error if the text is no such table
 */
export function readKarpenterPrices(go: string): ListedRegions {
  const [, date] = /generated at (\d{4}-\d\d-\d\d)T/.exec(go) ?? [];
  const [, ...parts] = go.split(/^\s*"([a-z]+(?:-[a-z]+)+-\d)": \{$/m);
  const regions = new Map<string, ListedPrices>();
  for (let at = 0; at < parts.length; at += 2) {
    const [region = "", prices = ""] = parts.slice(at, at + 2);
    const listed = prices.matchAll(/"([a-z0-9-]+\.[a-z0-9-]+)": (\d+\.\d+)/g);
    const usdPerHour = new Map(
      [...listed].flatMap(([, type = "", usd]) =>
        type.includes(".metal") ? [] : [[type, Number(usd)] as const],
      ),
    );
    if (date !== undefined && usdPerHour.size > 0) {
      regions.set(region, { date, usdPerHour });
    }
  }
  if (regions.size === 0) {
    throw new Error("this is no table of prices, as Karpenter generates it");
  }
  return regions;
}

/** An instance type in the list of ec2instances.info, with what is read of it. */
interface ListedInstance {
  readonly instance_type: string;
  readonly pricing: Readonly<
    Record<string, { readonly linux?: { readonly ondemand?: string } } | undefined>
  >;
}

/**
 * The prices in the list of ec2instances.info (`instances.json`), which has every region of AWS but China's. Local zones are
 * left out.
 *
 * @param date when the list was written
 * @throws Error if the text is no such list
 */
export function readInstancesInfo(json: string, date: string): ListedRegions {
  const regions = new Map<string, { date: string; usdPerHour: Map<string, number> }>();
  for (const { instance_type: type, pricing } of JSON.parse(json) as readonly ListedInstance[]) {
    for (const [region, prices] of Object.entries(pricing)) {
      const usd = Number(prices?.linux?.ondemand ?? 0);
      if (REGION.test(region) && usd > 0) {
        const { usdPerHour } = regions.get(region) ?? { usdPerHour: new Map<string, number>() };
        regions.set(region, { date, usdPerHour: usdPerHour.set(type, usd) });
      }
    }
  }
  if (regions.size === 0) {
    throw new Error("this is no list of instance types, as ec2instances.info has it");
  }
  return regions;
}

/**
 * The newer source, and the older one for the regions and types that the newer lacks. A type whose price has changed in a
 * region that both have is left out of the older one: its price elsewhere has probably changed, too.
 */
export function mergePrices(newer: ListedRegions, older: ListedRegions): ListedRegions {
  const changed = new Set(
    [...newer].flatMap(([region, now]) => changedTypes(now, older.get(region))),
  );
  const kept = [...older].map(([region, { date, usdPerHour }]) => {
    const prices = new Map([...usdPerHour].filter(([type]) => !changed.has(type)));
    return [region, { date, usdPerHour: prices }] as const;
  });
  const old = new Map(kept);
  const both = [...newer].map(([region, { date, usdPerHour }]) => {
    const prices = new Map([...(old.get(region)?.usdPerHour ?? []), ...usdPerHour]);
    return [region, { date, usdPerHour: prices }] as const;
  });
  return new Map([...old, ...both]);
}

function changedTypes(now: ListedPrices, before: ListedPrices | undefined): readonly string[] {
  return [...(before?.usdPerHour ?? [])]
    .filter(([type, usd]) => Math.abs((now.usdPerHour.get(type) ?? usd) - usd) > NEAR_USD)
    .map(([type]) => type);
}
