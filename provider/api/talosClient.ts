import type { ClientCredentials } from "../pki/clientCredentials";
import { clusterIdentity, maintenanceIdentity } from "./clientIdentity";
import { configurationCalls } from "./configurationCalls";
import { ConnectionPool } from "./connectionPool";
import { parseEndpoint, parseNode } from "./endpoint";
import { etcdCalls } from "./etcdCalls";
import { informationCalls } from "./informationCalls";
import { ManyNodes } from "./manyNodes";
import type { MaintenanceServers } from "./maintenanceServers";
import { NodeCaller } from "./nodeCaller";
import type { NodeCalls, Reach } from "./nodeCalls";
import { OneNode } from "./oneNode";
import { powerCalls } from "./powerCalls";
import { serviceCalls } from "./serviceCalls";
import { stateCalls } from "./stateCalls";

export type { CallOptions } from "./callOptions";
export type { ApplyRequest, ApplyResult } from "./configurationCalls";
export type { CosiResource } from "./cosiResource";
export type { EtcdMember } from "./etcdCalls";
export type { TalosVersion } from "./informationCalls";
export type { ServiceStatus } from "./serviceCalls";

/** How to reach a configured node. */
export interface TalosClientOptions {
  /**
   * Where the API is dialled, as `host` or `host:port`, port 50000 by default. The server's
   * certificate must name the host: Talos' has the node's hostname, its own addresses, and
   * machine.certSANs.
   */
  endpoint?: string;
  /**
   * More places, tried in this order after `endpoint`. The one that answered last is tried first;
   * the others only when no connection to it comes about, so no call is sent twice.
   */
  endpoints?: readonly string[];
  /**
   * The node that is to answer. Default: the first endpoint. An endpoint that is another node
   * forwards the calls, for which it must be a control plane node. Without port.
   */
  node?: string;
  /**
   * Address of the node inside its network. A node that is dialled itself may have a certificate that
   * names this one only: Talos learns its public address when it boots, and AWS may give it another
   * later (Talos v1.12.1, `NetworkConfiguration` of platform/aws/aws.go). Default: none.
   */
  privateAddress?: string;
  credentials: ClientCredentials;
}

/** What can be asked of one node as well as of several. */
type CommonCalls<R extends Reach> = ReturnType<typeof commonCalls<R>>;

/** What a node in maintenance mode can be asked. It refuses most of it. */
export type MaintenanceClient = CommonCalls<"one"> &
  ReturnType<typeof configurationCalls> &
  ReturnType<typeof stateCalls> & {
    /** Cancels what runs; later calls fail with code `cancelled` too. */
    close: () => void;
  };

/** What several nodes can be asked at once: each method's answer has each node's result or error. */
export type NodesClient = CommonCalls<"many">;

/**
 * A client of one node's API. Every call has a deadline (15 s by default), can be cancelled, and
 * fails with a `TalosApiError`. The client never repeats a call. Clients with the same endpoints
 * and credentials share connections, which close after a few idle seconds.
 */
export type TalosClient = MaintenanceClient & {
  /** Asks other nodes through the endpoint, which must be a control plane node. Raises an `Error` if a name cannot be one. */
  onNodes: (nodes: readonly string[]) => NodesClient;
};

const pool = new ConnectionPool();

/** Opens clients, for configured nodes and for nodes in maintenance mode. */
export const TalosClient = {
  /**
   * A client for a configured node, by mutual TLS against the cluster's CA. Nothing is dialled
   * before the first call. Raises an `Error` if an endpoint, the node or the credentials cannot be
   * read.
   */
  connect(options: TalosClientOptions): TalosClient {
    const { endpoint, endpoints: more = [], node, privateAddress, credentials } = options;
    const texts = endpoint === undefined ? more : [endpoint, ...more];
    const endpoints = texts.map((text) => {
      const parsed = parseEndpoint(text);
      const isNode = privateAddress !== undefined && (node === undefined || node === text);
      return isNode ? { ...parsed, otherName: privateAddress } : parsed;
    });
    const caller = new NodeCaller({ endpoints, identity: clusterIdentity(credentials), pool });
    const [first] = endpoints;
    const calls = callsToOne(caller, node === undefined ? (first?.host ?? "") : parseNode(node));
    return Object.assign(calls, {
      onNodes: (nodes: readonly string[]) =>
        commonCalls<"many">(new ManyNodes(caller, [...new Set(nodes.map(parseNode))])),
    });
  },

  /**
   * A client for a node in maintenance mode. Neither side proves who it is: whoever holds the
   * address gets what is sent, unless `servers` says which are taken. A server that is not in
   * maintenance mode gets nothing.
   */
  connectInsecure({
    endpoint: text,
    servers,
  }: {
    endpoint: string;
    servers?: MaintenanceServers;
  }): MaintenanceClient {
    const endpoint = parseEndpoint(text);
    const identity = maintenanceIdentity(servers);
    return callsToOne(new NodeCaller({ endpoints: [endpoint], identity, pool }), endpoint.host);
  },
};

function callsToOne(caller: NodeCaller, node: string): MaintenanceClient {
  const one = new OneNode(caller, node);
  return Object.assign(commonCalls<"one">(one), configurationCalls(one), stateCalls(caller, node), {
    close: () => caller.close(),
  });
}

function commonCalls<R extends Reach>(nodes: NodeCalls<R>) {
  return Object.assign(
    informationCalls(nodes),
    serviceCalls(nodes),
    powerCalls(nodes),
    etcdCalls(nodes),
  );
}
