import type { NodeState } from "../../machine/nodeState";
import type { ResourceSource, ResourceValue } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";

const NAMESPACE = "network";
const ADDRESS_STATUS_TYPE = "AddressStatuses.net.talos.dev";
const NODE_ADDRESS_TYPE = "NodeAddresses.net.talos.dev";
const HOSTNAME_STATUS_TYPE = "HostnameStatuses.net.talos.dev";

/** The prefix length of private addresses. */
const PRIVATE_PREFIX = 24;

/** IFA_F_PERMANENT of Linux, `if_addr.h`. */
const PERMANENT_FLAG = 0x80;

interface LinkAddress {
  readonly address: string;
  readonly prefixLength: number;
  readonly linkName: string;
  readonly linkIndex: number;
  readonly scope: "global" | "host";
}

/**
 * A node's name and addresses. The private one is on its network interface. The public one is from
 * EC2, and Talos shows it on a link named `external`.
 */
export function networkSources(node: NodeState): readonly ResourceSource[] {
  return [
    { namespace: NAMESPACE, type: HOSTNAME_STATUS_TYPE, values: () => [hostnameStatus(node)] },
    {
      namespace: NAMESPACE,
      type: ADDRESS_STATUS_TYPE,
      values: () => linkAddresses(node).map(addressStatus),
    },
    { namespace: NAMESPACE, type: NODE_ADDRESS_TYPE, values: () => nodeAddresses(node) },
  ];
}

function linkAddresses(node: NodeState): LinkAddress[] {
  const { address, privateAddress } = node.hardware;
  const loopback = { linkName: "lo", linkIndex: 1, scope: "host" as const };
  return [
    { ...loopback, address: "127.0.0.1", prefixLength: 8 },
    {
      address: privateAddress,
      prefixLength: PRIVATE_PREFIX,
      linkName: "ens5",
      linkIndex: 2,
      scope: "global",
    },
    { address, prefixLength: 32, linkName: "external", linkIndex: 0, scope: "global" },
  ];
}

function addressStatus(link: LinkAddress): ResourceValue {
  const address = `${link.address}/${link.prefixLength}`;
  const isExternal = link.linkName === "external";
  return {
    namespace: NAMESPACE,
    type: ADDRESS_STATUS_TYPE,
    id: `${link.linkName}/${address}`,
    owner: isExternal ? "network.PlatformConfigApplyController" : "network.AddressStatusController",
    spec: {
      address,
      linkIndex: link.linkIndex,
      linkName: link.linkName,
      family: "inet4",
      scope: link.scope,
      flags: isExternal ? "" : "permanent",
      priority: 0,
    },
    proto: encodeSpec("AddressStatus", {
      address: { ...ipOf(link.address), prefixLength: link.prefixLength },
      ...(isExternal ? {} : { local: ipOf(link.address), flags: PERMANENT_FLAG }),
      linkIndex: link.linkIndex,
      linkName: link.linkName,
      family: "FAMILY_INET4",
      scope: link.scope === "host" ? "SCOPE_HOST" : "SCOPE_GLOBAL",
    }),
  };
}

function nodeAddresses(node: NodeState): ResourceValue[] {
  const own = linkAddresses(node).filter(({ scope }) => scope === "global");
  const routed = own.filter(({ linkName }) => linkName !== "external");
  const all: [id: string, addresses: readonly LinkAddress[]][] = [
    ["accumulative", own],
    ["current", own],
    ["default", routed],
    ["routed", routed],
  ];
  // With a configuration, addresses of pods and services are separate.
  if (node.config) {
    all.push(
      ["accumulative-no-k8s", own],
      ["accumulative-only-k8s", []],
      ["current-no-k8s", own],
      ["current-only-k8s", []],
      ["routed-no-k8s", routed],
      ["routed-only-k8s", []],
    );
  }
  return all.map(([id, addresses]) => ({
    namespace: NAMESPACE,
    type: NODE_ADDRESS_TYPE,
    id,
    owner: "network.NodeAddressController",
    spec: {
      addresses: addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
      sortAlgorithm: "v1",
    },
    proto: encodeSpec("NodeAddress", {
      addresses: addresses.map(({ address, prefixLength }) => ({
        ...ipOf(address),
        prefixLength,
      })),
    }),
  }));
}

function hostnameStatus(node: NodeState): ResourceValue {
  const { hostname, domainname } = node.hostname;
  return {
    namespace: NAMESPACE,
    type: HOSTNAME_STATUS_TYPE,
    id: "hostname",
    owner: "network.HostnameSpecController",
    spec: { hostname, domainname },
    proto: encodeSpec("HostnameStatus", { hostname, domainname }),
  };
}
