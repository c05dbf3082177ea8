import { PRICES } from "../components/cost/prices";
import type { PreviewSummary } from "./summarize";

/** The change of the monthly cost, in one line. */
export function describeCost({ before, after }: PreviewSummary["cost"]): string {
  const difference = Math.round(after.usd) - Math.round(before.usd);
  const sign = difference < 0 ? "-" : "+";
  const change =
    difference === 0
      ? `stays at ${dollars(after.usd)}`
      : `${dollars(before.usd)} → ${dollars(after.usd)} (${sign}${dollars(Math.abs(difference))})`;
  const most =
    Math.round(after.usdAtMost) > Math.round(after.usd)
      ? `, ${dollars(after.usdAtMost)} with groups at their largest`
      : "";
  const unpriced = [...new Set([...before.unpriced, ...after.unpriced])];
  const missing =
    unpriced.length === 0 ? "" : `; without ${unpriced.join(", ")}, which the price table lacks`;
  return `${change} a month${most}, traffic on top${missing} (${PRICES.source})`;
}

function dollars(amount: number): string {
  return `$${Math.round(amount).toLocaleString("en-US")}`;
}
