import type { Path } from "../path";
import { isCidr } from "../schema/formats";
import type { DocumentView } from "./documentView";
import { isSubnet, NO_SUBNET } from "./subnets";

/** The minimum MTU of IPv6, in bytes. */
export const minKubeSpanMtu = 1280;

/**
 * `machine.network.kubespan`. Source: the Validate methods of pkg/machinery/config/types/v1alpha1,
 * Talos v1.10.6 to v1.13.9.
 */
export function checkKubeSpan(view: DocumentView): void {
  const kubespan = ["machine", "network", "kubespan"];
  if (view.get(...kubespan, "enabled") !== true) {
    return;
  }
  // Since v1.14, documents can have these: see `wholeConfigProblems`.
  if (view.talosMinor < 14) {
    if (view.get("cluster", "discovery", "enabled") !== true) {
      view.report(
        ["cluster", "discovery", "enabled"],
        "has to be true: KubeSpan finds its peers through it",
      );
    }
    view.require("KubeSpan needs it", ["cluster", "id"], ["cluster", "secret"]);
  }
  const mtu = view.get(...kubespan, "mtu");
  if (typeof mtu === "number" && mtu !== 0 && mtu < minKubeSpanMtu) {
    view.report([...kubespan, "mtu"], `${mtu} is too small: IPv6 needs at least ${minKubeSpanMtu}`);
  }
  checkKubeSpanFilters(view, [...kubespan, "filters"]);
}

/** The networks that KubeSpan uses and announces. */
export function checkKubeSpanFilters(view: DocumentView, path: Path): void {
  view.checkTexts([...path, "endpoints"], isSubnet, NO_SUBNET);
  view.checkTexts(
    [...path, "excludeAdvertisedNetworks"],
    isCidr,
    "is not a network in CIDR notation, like 10.0.0.0/8",
  );
}
