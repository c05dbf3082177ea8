import type { Path } from "../path";
import { isCidr } from "../schema/formats";
import { checkCelVariables } from "./celRules";
import type { DocumentView } from "./documentView";
import { checkWireguardKey } from "./networkRules";

/**
 * Checks the addresses and routes of a link document of any kind. Source: CommonLinkConfig in
 * pkg/machinery/config/types/network, Talos v1.12.1 and v1.13.9.
 */
export function checkLink(view: DocumentView): void {
  checkLinkAt(view, []);
}

/**
 * Checks the document `VethConfig`, a pair of links. Since Talos v1.14. Source: types/network/veth.go,
 * Talos v1.14.1.
 */
export function checkVeth(view: DocumentView): void {
  for (const path of [["name"], ["peer", "name"]]) {
    view.requireText(path, isLinkName, "is not a name for a link: 1 to 15 characters");
  }
  if (view.text("name") !== undefined && view.text("name") === view.text("peer", "name")) {
    view.report(["peer", "name"], "has to be another name than that of the link itself");
  }
  checkLinkAt(view, []);
  checkLinkAt(view, ["peer"]);
}

function checkLinkAt(view: DocumentView, place: Path): void {
  view.list(...place, "addresses").forEach((_, index) => {
    const path = [...place, "addresses", index, "address"];
    view.require("an address with its prefix length, like 10.0.0.10/24", path);
    view.checkText(path, isSpecified, "is no address that a link can have");
  });
  view.list(...place, "routes").forEach((_, index) => {
    const route = [...place, "routes", index];
    view.checkText(
      [...route, "destination"],
      isSpecified,
      "is not allowed here: leave it out for the default route",
    );
    for (const key of ["gateway", "source"]) {
      view.checkText(
        [...route, key],
        isSpecified,
        "is no address of a machine: leave it out, or write one",
      );
    }
  });
}

function isLinkName(name: string): boolean {
  return Buffer.byteLength(name) <= 15 && /^(?!\.{1,2}$)[^/:\s\p{C}]+$/u.test(name);
}

function isSpecified(address: string): boolean {
  return !/^(?:0\.0\.0\.0|::)(?:\/|$)/.test(address);
}

/** Checks a VLAN document. */
export function checkVlan(view: DocumentView): void {
  checkLink(view);
  const id = view.get("vlanID");
  if (typeof id === "number" && (id < 1 || id > 4094)) {
    view.report(["vlanID"], `${id} is not the number of a VLAN: 1 to 4094`);
  }
  view.require("the link that carries the VLAN", ["parent"]);
}

/** Checks a VRF document. Since Talos v1.13. */
export function checkVrf(view: DocumentView): void {
  checkLink(view);
  const table = view.text("table");
  if (table === undefined || ["unspec", "default", "main", "local"].includes(table)) {
    view.report(
      ["table"],
      `${view.quote("table")} is not a table that a VRF can use: write the number of a table, 1 to 252`,
    );
  }
}

/** Checks a WireGuard document. */
export function checkWireguardDocument(view: DocumentView): void {
  checkLink(view);
  checkWireguardKey(view, ["privateKey"]);
  const port = view.get("listenPort");
  if (typeof port === "number" && (port < 0 || port > 65535)) {
    view.report(["listenPort"], `${port} is not a port: 0 to 65535`);
  }
  view.list("peers").forEach((_, index) => {
    checkWireguardKey(view, ["peers", index, "publicKey"]);
    if (view.text("peers", index, "presharedKey") !== undefined) {
      checkWireguardKey(view, ["peers", index, "presharedKey"]);
    }
    view.requireNotNegative(["peers", index, "persistentKeepaliveInterval"]);
  });
}

/** Checks a link alias document. */
export function checkLinkAlias(view: DocumentView): void {
  view.require("which link gets the name, in CEL", ["selector", "match"]);
  checkCelVariables(view, ["selector", "match"], "links");
  const name = view.text("name") ?? "";
  if (view.talosMinor >= 13 && name.includes("%") && !/^[^%]+%d$/.test(name)) {
    view.report(
      ["name"],
      `${view.quote("name")} has a "%" that is not the number at its end: write it like "net%d"`,
    );
  }
}

/** Priorities of rules that Linux and KubeSpan use. */
const reservedPriorities = [0, 32_500, 32_766, 32_767];

/**
 * Checks a blackhole route document, which drops packets to a network; its name is the network.
 * Since Talos v1.13. Source of both: pkg/machinery/config/types/network, Talos v1.13.9.
 */
export function checkBlackholeRoute(view: DocumentView): void {
  view.requireText(["name"], isCidr, "has to be a network in CIDR notation, like 10.0.0.0/8");
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
