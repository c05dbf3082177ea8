import type { ClientCredentials } from "../pki/clientCredentials";
import { clusterIdentity, maintenanceIdentity } from "./clientIdentity";
import { configurationCalls } from "./configurationCalls";
import { ConnectionPool } from "./connectionPool";
import { parseEndpoint, parseNode } from "./endpoint";
import { etcdCalls } from "./etcdCalls";
import { informationCalls } from "./informationCalls";
import { lifecycleCalls } from "./lifecycleCalls";
import type { MaintenanceServers } from "./maintenanceServers";
import { ManyNodes } from "./manyNodes";
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
   * The address of the API, as `host` or `host:port`, with the default port 50000. The server's
   * certificate must contain the host. Talos' certificate contains the node's hostname, its own
   * addresses, and machine.certSANs.
   */
  endpoint?: string;
  /**
   * More endpoints, tried in this order after `endpoint`. The endpoint that answered last is tried
   * first. Others are tried only while there is no connection to it, so no call is sent twice.
   */
  endpoints?: readonly string[];
  /**
   * The node that must answer, without port. Default: the first endpoint. Another node than the
   * endpoint gets the calls forwarded, and the endpoint must be a control plane node.
   */
  node?: string;
  /**
   * Address of the node inside its network. The certificate of a node that is dialled directly may
   * contain only this one: Talos learns its public address at boot, and AWS may give it another
   * later (Talos v1.12.1, `NetworkConfiguration` of platform/aws/aws.go). Default: none.
   */
  privateAddress?: string;
  credentials: ClientCredentials;
}

/** Calls for one node as well as for several. */
type CommonCalls<R extends Reach> = ReturnType<typeof commonCalls<R>>;

/** Calls for a node in maintenance mode. It refuses most of them. */
export type MaintenanceClient = CommonCalls<"one"> &
  ReturnType<typeof configurationCalls> &
  ReturnType<typeof stateCalls> &
  ReturnType<typeof lifecycleCalls> & {
    /** Cancels running calls; later calls fail with code `cancelled` too. */
    close: () => void;
  };

/** Calls for several nodes at once. Each answer has each node's result or error. */
export type NodesClient = CommonCalls<"many">;

/**
 * A client of one node's API. Every call has a deadline (15 s by default), can be cancelled, and
 * fails with a `TalosApiError`. The client never repeats a call. Clients with the same endpoints
 * and credentials share connections, which close after a few idle seconds.
 */
export type TalosClient = MaintenanceClient & {
  /**
   * Calls other nodes through the endpoint, which must be a control plane node. Raises an `Error`
   * if a name is invalid.
   */
  onNodes: (nodes: readonly string[]) => NodesClient;
};

const pool = new ConnectionPool();

/** Opens clients, for configured nodes and for nodes in maintenance mode. */
export const TalosClient = {
  /**
   * A client for a configured node, over mutual TLS with the cluster's CA. It connects at the first
   * call. Raises an `Error` if an endpoint, the node or the credentials are invalid.
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
   * A client for a node in maintenance mode. Neither side proves its identity: any server at the
   * address gets what is sent, unless `servers` restricts that. A server that is not in maintenance
   * mode gets nothing.
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
  const calls = Object.assign(
    commonCalls<"one">(one),
    configurationCalls(one),
    stateCalls(caller, node),
  );
  return Object.assign(calls, lifecycleCalls(caller, node), { close: () => caller.close() });
}

function commonCalls<R extends Reach>(nodes: NodeCalls<R>) {
  return Object.assign(
    informationCalls(nodes),
    serviceCalls(nodes),
    powerCalls(nodes),
    etcdCalls(nodes),
  );
}
