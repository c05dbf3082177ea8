import { isCidr } from "../formats";
import type { DocumentView } from "./documentView";

/** Priorities of rules that Linux and KubeSpan use. */
const reservedPriorities = [0, 32_500, 32_766, 32_767];

/**
 * Checks a blackhole route document, which drops packets to a network; its name is the network.
 * Since Talos v1.13. Source of both: pkg/machinery/config/types/network, Talos v1.13.9.
 */
export function checkBlackholeRoute(view: DocumentView): void {
  if (!isCidr(view.text("name") ?? "")) {
    view.report(
      ["name"],
      `${view.quote("name")} has to be a network in CIDR notation, like 10.0.0.0/8`,
    );
  }
}

/**
 * Checks a routing rule document, which selects a routing table for packets; its name is its
 * priority. Since Talos v1.13.
 */
export function checkRoutingRule(view: DocumentView): void {
  const name = view.text("name") ?? "";
  const priority = /^\d+$/.test(name) ? Number(name) : NaN;
  if (!(priority < 2 ** 32) || reservedPriorities.includes(priority)) {
    view.report(
      ["name"],
      `${view.quote("name")} has to be the rule's priority: a number from 1 to 32765 other than 32500`,
    );
  }
  const table = view.text("table") ?? "unspec";
  const action = view.text("action") ?? "unspec";
  if (table === "unspec" && (action === "unspec" || action === "unicast")) {
    view.report(["table"], 'is required, unless "action" refuses the packets');
  }
  if ((view.get("fwMask") ?? 0) !== 0 && (view.get("fwMark") ?? 0) === 0) {
    view.report(["fwMask"], "has no effect without fwMark: set that, or leave it out");
  }
}
