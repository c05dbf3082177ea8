import type { NodeState } from "../../machine/nodeState";
import { type ResourceSource, sourceOf, type SourceValue } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";

const NAMESPACE = "network";

const TIME_SERVER_DEFAULT = "time.cloudflare.com";
const MTU = 9001;
const PREFIX_LENGTH = 24;
const networkCard = { name: "ens5", index: 2 };

/** The network interfaces of a node, its routes, and its DHCP settings. */
export function linkSources(node: NodeState): readonly ResourceSource[] {
  const of = (type: string, owner: string, values: () => SourceValue[]) =>
    sourceOf(
      { namespace: NAMESPACE, type: `${type}.net.talos.dev`, owner: `network.${owner}` },
      values,
    );
  return [
    of("LinkStatuses", "LinkStatusController", () => [loopback(), ethernet(node)]),
    of("RouteStatuses", "RouteStatusController", () => routes(node)),
    of("ResolverStatuses", "ResolverSpecController", () => [resolvers(node)]),
    of("TimeServerStatuses", "TimeServerSpecController", () => {
      const timeServers = [node.config?.facts.timeServer ?? TIME_SERVER_DEFAULT];
      return [
        {
          id: "timeservers",
          spec: { timeServers },
          proto: encodeSpec("TimeServerStatus", { ntpServers: timeServers }),
        },
      ];
    }),
    of("NetworkStatuses", "StatusController", () => {
      const spec = {
        addressReady: true,
        connectivityReady: true,
        hostnameReady: true,
        etcFilesReady: true,
      };
      return [{ id: "status", spec, proto: encodeSpec("NetworkStatus", spec) }];
    }),
  ];
}

function loopback(): SourceValue {
  return link("lo", {
    index: 1,
    type: "loopback",
    flags: "UP,LOOPBACK,RUNNING,LOWER_UP",
    hardwareAddr: "00:00:00:00:00:00",
    broadcastAddr: "00:00:00:00:00:00",
    mtu: 65536,
    queueDisc: "noqueue",
    operationalState: "unknown",
    driver: "",
  });
}

function ethernet(node: NodeState): SourceValue {
  return link(networkCard.name, {
    index: networkCard.index,
    type: "ether",
    flags: "UP,BROADCAST,RUNNING,MULTICAST,LOWER_UP",
    hardwareAddr: hardwareAddress(node),
    broadcastAddr: "ff:ff:ff:ff:ff:ff",
    mtu: MTU,
    queueDisc: "mq",
    operationalState: "up",
    driver: "ena",
  });
}

interface Link {
  readonly index: number;
  readonly type: "loopback" | "ether";
  readonly flags: string;
  readonly hardwareAddr: string;
  readonly broadcastAddr: string;
  readonly mtu: number;
  readonly queueDisc: string;
  readonly operationalState: "unknown" | "up";
  readonly driver: string;
}

function link(id: string, values: Link): SourceValue {
  const { index, type, hardwareAddr, broadcastAddr, operationalState, driver } = values;
  return {
    id,
    spec: {
      index,
      type,
      linkIndex: 0,
      flags: values.flags,
      hardwareAddr,
      permanentAddr: type === "ether" ? hardwareAddr : "",
      broadcastAddr,
      mtu: values.mtu,
      queueDisc: values.queueDisc,
      operationalState,
      kind: "",
      slaveKind: "",
      ...(driver === "" ? {} : { driver }),
      linkState: true,
      port: "Other",
      duplex: "Unknown",
    },
    proto: encodeSpec("LinkStatus", {
      index,
      type: type === "ether" ? "LINK_ETHER" : "LINK_LOOPBCK",
      hardwareAddr: bytesOf(hardwareAddr),
      broadcastAddr: bytesOf(broadcastAddr),
      mtu: values.mtu,
      queueDisc: values.queueDisc,
      operationalState: operationalState === "up" ? "OPER_STATE_UP" : "OPER_STATE_UNKNOWN",
      driver,
      linkState: true,
    }),
  };
}

/** The kernel's routes for the node's network, and the default route of its VPC. */
function routes(node: NodeState): SourceValue[] {
  const { privateAddress } = node.hardware;
  const network = privateAddress.replace(/\d+$/, "0");
  const gateway = privateAddress.replace(/\d+$/, "1");
  const priority = 1024;
  return [
    route(`inet4/${gateway}//${priority}`, {
      dst: "",
      src: "",
      gateway,
      priority,
      scope: "global",
      protocol: "dhcp",
    }),
    route(`inet4//${network}/${PREFIX_LENGTH}/0`, {
      dst: `${network}/${PREFIX_LENGTH}`,
      src: privateAddress,
      gateway: "",
      priority: 0,
      scope: "link",
      protocol: "kernel",
    }),
  ];
}

interface Route {
  readonly dst: string;
  readonly src: string;
  readonly gateway: string;
  readonly priority: number;
  readonly scope: "global" | "link";
  readonly protocol: "dhcp" | "kernel";
}

function route(id: string, values: Route): SourceValue {
  const { dst, src, gateway, priority, scope, protocol } = values;
  const [destination = ""] = dst.split("/");
  return {
    id,
    spec: {
      family: "inet4",
      dst,
      src,
      gateway,
      outLinkIndex: networkCard.index,
      outLinkName: networkCard.name,
      table: "main",
      priority,
      scope,
      type: "unicast",
      flags: "",
      protocol,
    },
    proto: encodeSpec("RouteStatus", {
      family: "FAMILY_INET4",
      ...(dst === "" ? {} : { destination: { ...ipOf(destination), prefixLength: PREFIX_LENGTH } }),
      ...(src === "" ? {} : { source: ipOf(src) }),
      ...(gateway === "" ? {} : { gateway: ipOf(gateway) }),
      outLinkIndex: networkCard.index,
      outLinkName: networkCard.name,
      table: "TABLE_MAIN",
      priority,
      scope: scope === "link" ? "SCOPE_LINK" : "SCOPE_GLOBAL",
      type: "TYPE_UNICAST",
      protocol: `PROTOCOL_${protocol.toUpperCase()}`,
    }),
  };
}

function resolvers({ hardware }: NodeState): SourceValue {
  // The DNS server of a VPC has the third address of its network.
  const server = hardware.privateAddress.replace(/\d+\.\d+$/, "0.2");
  return {
    id: "resolvers",
    spec: { dnsServers: [server], searchDomains: [] },
    proto: encodeSpec("ResolverStatus", { dnsServers: [ipOf(server)] }),
  };
}

/** A locally administered MAC address, derived from the private address. */
function hardwareAddress({ hardware }: NodeState): string {
  const bytes = [0x02, 0x00, ...ipOf(hardware.privateAddress).ip];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(":");
}

function bytesOf(hardwareAddr: string): Buffer {
  return Buffer.from(hardwareAddr.replaceAll(":", ""), "hex");
}
