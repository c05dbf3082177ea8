import { describePrices } from "./prices";
import type { QuorumStep } from "./quorumSteps";
import type { PreviewSummary } from "./summarize";

const words = {
  create: "to create",
  update: "to change",
  replace: "to replace",
  delete: "to delete",
} as const;

/** The number of changes, in one line. Pulumi's own count, with components, is beside it. */
export function describeCounts({
  counts,
  pulumiCounts,
}: Pick<PreviewSummary, "counts" | "pulumiCounts">): string {
  const count = (operation: keyof typeof counts) => {
    const all = pulumiCounts[operation];
    return counts[operation] === all ? "" : ` (${all} with components)`;
  };
  const parts = (["create", "update", "replace", "delete"] as const)
    .filter((operation) => counts[operation] > 0)
    .map((operation) => `${counts[operation]} ${words[operation]}${count(operation)}`);
  const change = parts.length === 0 ? "nothing changes" : parts.join(", ");
  return counts.same === 0 ? change : `${change}, ${counts.same} stay${count("same")}`;
}

/** The change of the monthly cost, what it leaves out, and the source of the prices, in one line. */
export function describeCost(cost: PreviewSummary["cost"]): string {
  const unpriced = itemsOf(cost, "unpriced").join(", ");
  const estimated = itemsOf(cost, "estimated").join(", ");
  if (cost.regions.length === 0 && unpriced !== "") {
    return `not known: there are no prices of ${unpriced}`;
  }
  const missing = unpriced === "" ? "" : `; without ${unpriced}, whose price isn't known`;
  const estimates =
    estimated === "" ? "" : `; estimated for ${estimated}, by the older family's price there`;
  return `${describeSums(cost)}, traffic on top${estimates}${missing} (${describePrices(cost.regions)})`;
}

/** The change of the monthly cost alone, in one line. */
export function describeCostChange(cost: PreviewSummary["cost"]): string {
  if (itemsOf(cost, "unpriced").length === 0) {
    return describeSums(cost);
  }
  return cost.regions.length === 0
    ? "not known"
    : `${describeSums(cost)}, without what has no known price`;
}

function itemsOf(
  { before, after }: PreviewSummary["cost"],
  which: "unpriced" | "estimated",
): readonly string[] {
  return [...new Set([...before[which], ...after[which]])];
}

function describeSums(cost: PreviewSummary["cost"]): string {
  const { before, after } = cost;
  const about = itemsOf(cost, "estimated").length === 0 ? "" : "about ";
  const difference = Math.round(after.usd) - Math.round(before.usd);
  const sign = difference < 0 ? "-" : "+";
  const change =
    difference === 0
      ? `stays at ${about}${dollars(after.usd)}`
      : `${about}${dollars(before.usd)} → ${dollars(after.usd)} (${sign}${dollars(Math.abs(difference))})`;
  const most =
    Math.round(after.usdAtMost) > Math.round(after.usd)
      ? `, ${dollars(after.usdAtMost)} with groups at their largest`
      : "";
  return `${change} a month${most}`;
}

function dollars(amount: number): string {
  return `$${Math.round(amount).toLocaleString("en-US")}`;
}

const verbs: Readonly<Record<QuorumStep["what"], string>> = {
  away: "is away",
  lost: "is lost",
  joins: "joins",
  leaves: "leaves",
};

/** The effect of a control plane machine on etcd, for example `m-2 is away`. */
export function describeStep({ machine, what }: QuorumStep): string {
  return `${machine} ${verbs[what]}`;
}
