import { type InputProblem, inputProblems } from "../configError";
import type { ConfigDocument } from "../machineConfig";
import type { Path } from "../path";
import { mtuProblem, routeProblem } from "../rules/valueRules";
import { isAddress, isCidr } from "../schema/formats";
import type { Generator } from "./generator";
import {
  checkSelector,
  deviceSelector,
  type InterfaceSelector,
  selectorExpression,
} from "./interfaceSelector";
import { configDocument, documentOf, mapping } from "./mapping";

/** A network interface of a machine. */
export interface NetworkInterface {
  /**
   * The interface's name, `eth0`. With a selector, an alias such as `private`, which must not be a
   * name that the kernel uses.
   */
  readonly name: string;
  /** Selects the interface if its name is not certain. Default: the interface of that name. */
  readonly selector?: InterfaceSelector | undefined;
  /** Addresses with prefix length, `10.0.0.5/24`. Default: none. */
  readonly addresses?: readonly string[] | undefined;
  /** Whether it gets an IPv4 address by DHCP. Default: false. */
  readonly dhcp?: boolean | undefined;
  /** MTU in bytes. Default: the kernel's, or from DHCP. */
  readonly mtu?: number | undefined;
  /** Routes. Default: only to the networks of its addresses. */
  readonly routes?: readonly NetworkRoute[] | undefined;
}

/** A route. */
export interface NetworkRoute {
  /** Destination network, `10.20.0.0/16`. Default: all. */
  readonly destination?: string | undefined;
  /** The gateway's address. */
  readonly gateway: string;
  /** The source address of packets. Default: the kernel's choice. */
  readonly source?: string | undefined;
  /** Priority: the route with the lowest metric wins. Default: Talos' own. */
  readonly metric?: number | undefined;
}

/** The machines' network interfaces. */
export interface NetworkInterfacesOptions {
  /** Network interfaces. Default: all, with DHCP. */
  readonly networkInterfaces?: readonly NetworkInterface[] | undefined;
}

/**
 * The network interfaces of a machine: `LinkConfig`, with `LinkAliasConfig` and `DHCPv4Config`, or
 * `machine.network.interfaces` in older contracts. Besides fields, Talos configures the other interfaces
 * by DHCP; besides documents, it doesn't (`RunDefaultDHCPOperators` in config/container, v1.14.1). So a
 * cluster of an older contract keeps the fields.
 */
export const networkInterfaces: Generator<NetworkInterfacesOptions> = {
  check({ networkInterfaces: interfaces = [] }) {
    const names = interfaces.map(({ name }) => name);
    return interfaces.flatMap((link, index) => {
      const path = ["networkInterfaces", index];
      return [
        ...inputProblems([...path, "name"], checkName(link, names.indexOf(link.name) < index)),
        ...checkSelector([...path, "selector"], link.selector),
        ...(link.addresses ?? []).flatMap((address, at) =>
          inputProblems([...path, "addresses", at], checkAddress(address)),
        ),
        ...inputProblems(
          [...path, "mtu"],
          link.mtu === undefined ? undefined : mtuProblem(link.mtu),
        ),
        ...(link.routes ?? []).flatMap((route, at) => checkRoute([...path, "routes", at], route)),
      ];
    });
  },

  generate({ networkInterfaces: interfaces = [] }, { onlyGivenInterfaces }) {
    if (interfaces.length === 0) {
      return {};
    }
    return onlyGivenInterfaces
      ? { documents: interfaces.flatMap(linkDocuments) }
      : { config: mapping({ machine: { network: { interfaces: interfaces.map(device) } } }) };
  },
};

function linkDocuments(link: NetworkInterface): ConfigDocument[] {
  const { name, selector, addresses, dhcp = false, mtu, routes } = link;
  return [
    ...documentOf(
      "LinkAliasConfig",
      selector && { name, selector: { match: selectorExpression(selector) } },
    ),
    configDocument("LinkConfig", {
      name,
      mtu,
      addresses: addresses?.map((address) => ({ address })),
      routes: routes?.map(({ destination, gateway, source, metric }) => ({
        destination: isEverywhere(destination) ? undefined : destination,
        gateway,
        source,
        metric,
      })),
    }),
    ...documentOf("DHCPv4Config", dhcp ? { name } : undefined),
  ];
}

function device({ name, selector, addresses, dhcp, mtu, routes }: NetworkInterface) {
  return {
    interface: selector === undefined ? name : undefined,
    deviceSelector: selector && deviceSelector(selector),
    addresses,
    dhcp,
    mtu,
    routes: routes?.map(({ destination, gateway, source, metric }) => ({
      network: destination ?? (gateway.includes(":") ? "::/0" : "0.0.0.0/0"),
      gateway,
      source,
      metric,
    })),
  };
}

/**
 * `LinkConfig` expresses the default route by an absent destination, and refuses an explicit one.
 */
function isEverywhere(destination: string | undefined): boolean {
  return destination !== undefined && /^(?:0\.0\.0\.0|::)\/0$/.test(destination);
}

function checkName({ name, selector }: NetworkInterface, isTaken: boolean): string | undefined {
  if (!/^[^\s/:%]{1,15}$/.test(name)) {
    return `${JSON.stringify(name)} is not a name for a network interface: up to 15 characters, like "eth1"`;
  }
  if (isTaken) {
    return `${JSON.stringify(name)} is there twice: put all settings of an interface into one entry`;
  }
  return selector !== undefined && /^(?:eth|ens|eno|enp|enx|lo)\d*/.test(name)
    ? `${JSON.stringify(name)} can be the kernel's own name of another interface: with a selector use another name, like "private"`
    : undefined;
}

function checkAddress(address: string): string | undefined {
  return isCidr(address) && !/^(?:0\.0\.0\.0|::)\//.test(address)
    ? undefined
    : `${JSON.stringify(address)} is not an address with the length of its network, like "10.0.0.5/24"`;
}

function checkRoute(path: Path, route: NetworkRoute): InputProblem[] {
  const { destination, gateway, source } = route;
  return [
    ...inputProblems(
      [...path, "destination"],
      destination === undefined || isCidr(destination)
        ? undefined
        : `${JSON.stringify(destination)} is not a network in CIDR notation, like "10.20.0.0/16"`,
    ),
    ...[["gateway", gateway] as const, ["source", source] as const].flatMap(([key, address]) =>
      inputProblems(
        [...path, key],
        address === undefined || isAddress(address)
          ? undefined
          : `${JSON.stringify(address)} is not an IP address, like "10.0.0.1"`,
      ),
    ),
    ...inputProblems(path, routeProblem([destination ?? "", gateway, source ?? ""])),
  ];
}
