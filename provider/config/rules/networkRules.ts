import { isMapping } from "../machineConfig";
import type { Path } from "../path";
import { isAddress, isCidr } from "../schema/formats";
import { checkBond } from "./bondRules";
import type { DocumentView } from "./documentView";

/**
 * Checks `machine.network.interfaces` beyond its schema. Source: ValidateNetworkDevices and its
 * checks in pkg/machinery/config/types/v1alpha1, Talos v1.12.1.
 */
export function checkInterfaces(view: DocumentView): void {
  const interfaces = ["machine", "network", "interfaces"];
  const masters = new Map<string, number>();
  view.list(...interfaces).forEach((_, index) => {
    const path = [...interfaces, index];
    if (view.get(...path, "ignore") !== true) {
      checkSelection(view, path);
      checkAddresses(view, path);
      checkRoutes(view, [...path, "routes"]);
      checkVlans(view, path);
      if (view.isMapping(...path, "bond")) {
        checkBond(view, [...path, "bond"]);
      }
      checkWireguard(view, [...path, "wireguard"]);
    }
    checkMembers(view, path, index, masters);
  });
  view
    .list(...interfaces)
    .forEach((_, index) => checkMembersAddresses(view, [...interfaces, index], masters));
}

function checkSelection(view: DocumentView, path: Path): void {
  const named = view.text(...path, "interface") !== undefined;
  const selector = view.get(...path, "deviceSelector");
  if (!named && selector === undefined) {
    view.report(path, 'says for no interface what to do: set "interface" or "deviceSelector"');
  } else if (named && selector !== undefined) {
    view.report(path, 'set either "interface" or "deviceSelector", not both');
  } else if (isMapping(selector) && Object.keys(selector).length === 0) {
    view.report([...path, "deviceSelector"], "selects nothing: set at least one of its keys");
  }
}

function checkAddresses(view: DocumentView, path: Path): void {
  const legacy = view.text(...path, "cidr");
  if (legacy !== undefined && view.texts(...path, "addresses").length > 0) {
    view.report([...path, "cidr"], "is the old form of addresses: put it there");
  }
  const isEither = (address: string) => isCidr(address) || isAddress(address);
  view.checkTexts([...path, "addresses"], isEither, "is not an address, like 10.0.0.10/24");
  view.checkText([...path, "cidr"], isEither, "is not an address, like 10.0.0.10/24");
  if (view.isMapping(...path, "vip")) {
    view.requireText([...path, "vip", "ip"], isAddress, "is not an IP address, like 10.0.0.100");
    if (view.get("machine", "type") === "worker") {
      view.report([...path, "vip"], "can be on control plane machines only");
    }
  }
}

function checkRoutes(view: DocumentView, path: Path): void {
  view.list(...path).forEach((_, index) => {
    const route = [...path, index];
    view.checkText([...route, "network"], isCidr, "is not a network, like 0.0.0.0/0");
    for (const key of ["gateway", "source"]) {
      view.checkText([...route, key], isAddress, "is not an IP address, like 10.0.0.1");
    }
    if (["network", "gateway"].every((key) => view.text(...route, key) === undefined)) {
      view.report(route, "leads nowhere: set a network, a gateway or both");
    }
  });
}

function checkVlans(view: DocumentView, path: Path): void {
  view.list(...path, "vlans").forEach((_, index) => {
    checkAddresses(view, [...path, "vlans", index]);
    checkRoutes(view, [...path, "vlans", index, "routes"]);
  });
}

function checkWireguard(view: DocumentView, path: Path): void {
  if (!view.isMapping(...path)) {
    return;
  }
  checkWireguardKey(view, [...path, "privateKey"]);
  view.list(...path, "peers").forEach((_, index) => {
    const peer = [...path, "peers", index];
    checkWireguardKey(view, [...peer, "publicKey"]);
    view.checkText(
      [...peer, "endpoint"],
      (endpoint) => /^.+:\d+$/.test(endpoint),
      "is not a host and a port, like 10.0.0.1:51820",
    );
    view.checkTexts([...peer, "allowedIPs"], isCidr, "is not a network, like 10.2.0.0/16");
  });
}

/** A WireGuard key is 32 bytes in base64. */
export function checkWireguardKey(view: DocumentView, path: Path): void {
  if (!/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(view.text(...path) ?? "")) {
    view.report(
      path,
      "has to be a WireGuard key: 32 bytes in base64, as `wg genkey` and `wg pubkey` write them",
    );
  }
}

function checkMembers(
  view: DocumentView,
  path: Path,
  index: number,
  masters: Map<string, number>,
): void {
  if (view.isMapping(...path, "bond") && view.isMapping(...path, "bridge")) {
    view.report([...path, "bond"], "an interface can't be a bond and a bridge at once");
  }
  for (const kind of ["bond", "bridge"]) {
    for (const [where, member] of view.texts(...path, kind, "interfaces")) {
      const master = masters.get(member);
      if (master !== undefined && master !== index) {
        view.report(
          where,
          `${view.quote(...where)} is part of machine.network.interfaces[${master}] already`,
        );
      }
      masters.set(member, index);
    }
  }
}

function checkMembersAddresses(
  view: DocumentView,
  path: Path,
  masters: ReadonlyMap<string, number>,
): void {
  const name = view.text(...path, "interface") ?? "";
  const addressed =
    view.get(...path, "dhcp") === true ||
    view.text(...path, "cidr") !== undefined ||
    view.list(...path, "addresses").length > 0 ||
    view.isMapping(...path, "vip");
  if (masters.has(name) && addressed && view.get(...path, "ignore") !== true) {
    view.report(
      path,
      "is part of a bond or bridge and can't have addresses of its own: give the addresses to the bond or bridge",
    );
  }
}
