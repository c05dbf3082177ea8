import { architectureOf, workerTypeProblem } from "../components/machines";
import { type KarpenterPoolArgs, mostMachines } from "../components/workers";
import { documentAt, type Properties } from "./previewedResource";
import { PRICES, pricedFamilies, usdPerProcessorHour, usdPerVolumeMonth } from "./prices";

/** The most that a pool of Karpenter costs while its machines have all that its limits allow. */
export interface KarpenterCost {
  /** Of the dearest machines that the pool allows, on demand. Undefined: none of them is in the table. */
  readonly usdPerHour: number | undefined;
  /** Of their volumes. */
  readonly usdPerMonth: number;
}

/**
 * The most that a pool costs. Spot machines cost less, and a pool without pods nothing.
 *
 * @param inputs of the pool's component
 */
export function karpenterCost(inputs: Properties): KarpenterCost {
  const karpenter = documentAt(inputs, "karpenter") ?? {};
  const limits = documentAt(karpenter, "limits") ?? {};
  const vcpus = numberOr(limits.vcpus, 0);
  const machines = mostMachines({
    ...(karpenter as Partial<KarpenterPoolArgs>),
    limits: { ...limits, vcpus },
  });
  const prices = familiesOf(karpenter).flatMap((family) => usdPerProcessorHour(family) ?? []);
  const dearest = prices.length === 0 ? undefined : Math.max(...prices);
  const address = inputs.publicAddresses === true ? PRICES.usdPerPublicAddressHour * machines : 0;
  return {
    usdPerHour: dearest === undefined ? undefined : dearest * vcpus + address,
    usdPerMonth: machines * usdPerVolumeMonth({ sizeGib: numberOr(inputs.volumesGib, 0) }),
  };
}

/** The families of machines that a pool allows. */
function familiesOf(karpenter: Properties): readonly string[] {
  const { instanceTypes, instanceFamilies, instanceCategories } = karpenter;
  if (Array.isArray(instanceTypes)) {
    return instanceTypes.map((type) => String(type).split(".")[0] ?? "");
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
  return pricedFamilies().filter((family) => {
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
