import type { Path } from "../path";
import type { DocumentView } from "./documentView";

/** Allowed words of a bond's settings, each with the kernel's default. */
const words: Readonly<Record<string, readonly string[]>> = {
  mode: [
    "balance-rr",
    "active-backup",
    "balance-xor",
    "broadcast",
    "802.3ad",
    "balance-tlb",
    "balance-alb",
  ],
  xmitHashPolicy: ["layer2", "layer3+4", "layer2+3", "encap2+3", "encap3+4"],
  lacpRate: ["slow", "fast"],
  arpValidate: ["none", "active", "backup", "all", "filter", "filter-active", "filter-backup"],
  arpAllTargets: ["any", "all"],
  primaryReselect: ["always", "better", "failure"],
  failOverMac: ["none", "active", "follow"],
  adSelect: ["stable", "bandwidth", "count"],
};

const lacp = ["802.3ad"];
const balancing = ["balance-tlb", "balance-alb"];

/** The modes that support a setting; the kernel refuses a bond that has it in another mode. */
const modesOf: Readonly<Record<string, readonly string[]>> = {
  lacpRate: lacp,
  adActorSysPrio: lacp,
  adUserPortKey: lacp,
  arpValidate: ["balance-rr", "active-backup", "balance-xor", "broadcast"],
  arpInterval: ["balance-rr", "active-backup", "balance-xor", "broadcast"],
  primary: ["active-backup", ...balancing],
  packetsPerSlave: ["balance-rr"],
  tlbDynamicLb: balancing,
};

/**
 * Checks the bond of a legacy network interface beyond its schema. Source: checkBond in
 * pkg/machinery/config/types/v1alpha1, Talos v1.10.6 to v1.13.9.
 */
export function checkBond(view: DocumentView, bond: Path): void {
  if (
    view.list(...bond, "interfaces").length > 0 &&
    view.list(...bond, "deviceSelectors").length > 0
  ) {
    view.report(
      [...bond, "deviceSelectors"],
      'set either "interfaces" or "deviceSelectors", not both',
    );
  }
  for (const [key, allowed] of Object.entries(words)) {
    view.requireWord([...bond, key], allowed, { optional: true });
  }
  checkDelays(view, bond);
  for (const key of ["arpIPTarget", "adActorSystem"]) {
    if (view.list(...bond, key).length > 0 || view.text(...bond, key) !== undefined) {
      view.report([...bond, key], "is not supported by Talos: leave it out");
    }
  }
  const mode = view.text(...bond, "mode") ?? "balance-rr";
  for (const [key, modes] of Object.entries(modesOf)) {
    if (isSet(view, [...bond, key]) && !modes.includes(mode)) {
      view.report(
        [...bond, key],
        `can be set in the mode ${modes.map((name) => `"${name}"`).join(" or ")} only, not in "${mode}"`,
      );
    }
  }
}

function isSet(view: DocumentView, path: Path): boolean {
  const value = view.get(...path);
  // All modes send at least one packet at a time.
  const least = path.at(-1) === "packetsPerSlave" ? 1 : 0;
  return typeof value === "number" ? value > least : value !== undefined && value !== "";
}

function checkDelays(view: DocumentView, bond: Path): void {
  const interval = view.get(...bond, "miimon") ?? 0;
  for (const key of ["updelay", "downdelay"]) {
    const delay = view.get(...bond, key) ?? 0;
    if (
      typeof delay === "number" &&
      typeof interval === "number" &&
      delay !== 0 &&
      (interval === 0 || delay % interval !== 0)
    ) {
      view.report([...bond, key], `${delay} has to be a multiple of miimon, which is ${interval}`);
    }
  }
}
