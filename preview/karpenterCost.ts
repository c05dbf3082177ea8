import { architectureOf, workerTypeProblem } from "../components/machines";
import { type KarpenterPoolArgs, mostMachines } from "../components/workers";
import { isEstimate, pricedFamilies, usdPerProcessorHour } from "./instancePrices";
import { documentAt, type Properties } from "./previewedResource";
import { PRICES, usdPerVolumeMonth } from "./prices";

/** The most that a pool of Karpenter costs while its machines have all that its limits allow. */
export interface KarpenterCost {
  /** Of the dearest machines that the pool allows, on demand. Undefined: none of them is in the table. */
  readonly usdPerHour: number | undefined;
  /** Of their volumes. */
  readonly usdPerMonth: number;
  /** The families that the pool names, and that have no price in the region. */
  readonly unpriced: readonly string[];
  /** The family of the dearest machines, if its price is an estimate. */
  readonly estimated: readonly string[];
}

/**
 * The most that a pool costs. Spot machines cost less, and a pool without pods nothing.
 *
 * @param inputs of the pool's component
 * @param region of its machines
 */
export function karpenterCost(inputs: Properties, region: string): KarpenterCost {
  const karpenter = documentAt(inputs, "karpenter") ?? {};
  const limits = documentAt(karpenter, "limits") ?? {};
  const vcpus = numberOr(limits.vcpus, 0);
  const machines = mostMachines({
    ...(karpenter as Partial<KarpenterPoolArgs>),
    limits: { ...limits, vcpus },
  });
  const families = familiesOf(karpenter, region);
  const prices = families.flatMap((family) => {
    const usd = usdPerProcessorHour(family, region);
    return usd === undefined ? [] : [{ family, usd }];
  });
  const [dearest] = prices.toSorted((one, other) => other.usd - one.usd);
  const address = inputs.publicAddresses === true ? PRICES.usdPerPublicAddressHour * machines : 0;
  return {
    usdPerHour: dearest === undefined ? undefined : dearest.usd * vcpus + address,
    usdPerMonth: machines * usdPerVolumeMonth({ sizeGib: numberOr(inputs.volumesGib, 0) }),
    unpriced: families.filter((family) => usdPerProcessorHour(family, region) === undefined),
    estimated: dearest !== undefined && isEstimate(dearest.family, region) ? [dearest.family] : [],
  };
}

/** The families of machines that a pool allows, by name or of those with a price in the region. */
function familiesOf(karpenter: Properties, region: string): readonly string[] {
  const { instanceTypes, instanceFamilies, instanceCategories } = karpenter;
  if (Array.isArray(instanceTypes)) {
    return [...new Set(instanceTypes.map((type) => String(type).split(".")[0] ?? ""))];
  }
  if (Array.isArray(instanceFamilies)) {
    return instanceFamilies.map(String);
  }
  const categories: readonly unknown[] = Array.isArray(instanceCategories)
    ? instanceCategories
    : ["c", "m", "r"];
  const architectures: readonly unknown[] = Array.isArray(karpenter.architectures)
    ? karpenter.architectures
    : ["amd64"];
  return pricedFamilies(region).filter((family) => {
    const [category = ""] = /^[a-z-]+?(?=\d)/.exec(family) ?? [];
    const example = `${family}.xlarge`;
    return (
      categories.includes(category) &&
      architectures.includes(architectureOf(example)) &&
      workerTypeProblem(example) === undefined
    );
  });
}

function numberOr(value: unknown, other: number): number {
  return typeof value === "number" ? value : other;
}
