import type { Path } from "../path";
import { isCidr } from "../schema/formats";
import { networksOverlap, parseNetwork } from "../schema/ipNetwork";
import type { DocumentView } from "./documentView";

/**
 * Checks the document `BGPInstanceConfig`. Since v1.14. Source:
 * pkg/machinery/config/types/network/bgp.go, Talos v1.14.1.
 */
export function checkBgpInstance(view: DocumentView): void {
  if ((view.get("localASN") ?? 0) === 0) {
    view.report(["localASN"], "is required: the number of this machine's autonomous system");
  }
  if (view.text("routerID")?.includes(":") === true) {
    view.report(["routerID"], `${view.quote("routerID")} is not an IPv4 address`);
  }
  checkNeighbors(view);
  checkImports(view);
}

function checkNeighbors(view: DocumentView): void {
  const seen = new Set<string>();
  view.list("neighbors").forEach((_, index) => {
    const path = ["neighbors", index];
    const names = ["address", "link"].flatMap((key) => view.text(...path, key) ?? []);
    const [name] = names;
    if (name === undefined || names.length > 1) {
      view.report(path, "needs an address or a link, and not both");
    } else if (seen.has(name)) {
      view.report(path, `${JSON.stringify(name)} is there twice: name each neighbor once`);
    } else {
      seen.add(name);
    }
    view.requireNotNegative([...path, "holdTime"]);
    if (view.isMapping(...path, "bfd")) {
      if (view.text("vrf") !== undefined) {
        view.report([...path, "bfd"], "does not work in a VRF: leave it out");
      }
      view.requireNotNegative([...path, "bfd", "transmitInterval"]);
      view.requireNotNegative([...path, "bfd", "receiveInterval"]);
    }
  });
}

function checkImports(view: DocumentView): void {
  const sources = new Set<string>();
  const networks: (readonly [Path, string])[] = [];
  view.list("importRoutes").forEach((_, index) => {
    const path = ["importRoutes", index];
    const source = view.text(...path, "bgpInstance");
    if (source === undefined || source === view.text("name")) {
      view.report([...path, "bgpInstance"], "has to be the name of another BGPInstanceConfig");
    } else if (sources.has(source)) {
      view.report([...path, "bgpInstance"], `${JSON.stringify(source)} is there twice`);
    } else {
      sources.add(source);
    }
    view.require("which routes it takes over", [...path, "prefixes"]);
    for (const [where, network] of view.texts(...path, "prefixes")) {
      if (!isCidr(network)) {
        continue;
      }
      const parsed = parseNetwork(network);
      const other = networks.find(([, earlier]) => networksOverlap(earlier, network));
      if (parsed.startAddress().correctForm() !== parsed.correctForm()) {
        view.report(where, `${view.quote(...where)} is an address in a network, not the network`);
      } else if (other !== undefined) {
        view.report(where, `${view.quote(...where)} overlaps with "${other[1]}"`);
      } else {
        networks.push([where, network]);
      }
    }
  });
}
