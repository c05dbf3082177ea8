import { kubeSpanPort, type KubeSpanIdentity } from "../../machine/kubeSpanIdentity";
import type { NodeState, Peer } from "../../machine/nodeState";
import type { ResourceSource } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";

const NAMESPACE = "cluster";
const API_SERVER_PORT = 6443;

/** The cluster's resources on a node: its identity, the cluster, and the discovered nodes. */
export function clusterSources(node: NodeState): readonly ResourceSource[] {
  return [
    {
      namespace: NAMESPACE,
      type: "Identities.cluster.talos.dev",
      values: () => [
        {
          namespace: NAMESPACE,
          type: "Identities.cluster.talos.dev",
          id: "local",
          owner: "cluster.NodeIdentityController",
          spec: { nodeId: node.nodeId },
          proto: encodeSpec("Identity", { nodeId: node.nodeId }),
        },
      ],
    },
    {
      namespace: NAMESPACE,
      type: "Infos.cluster.talos.dev",
      values: () => {
        if (!node.config) {
          return [];
        }
        const { clusterId, clusterName } = node.config.facts;
        return [
          {
            namespace: NAMESPACE,
            type: "Infos.cluster.talos.dev",
            id: "current",
            owner: "cluster.InfoController",
            spec: { clusterId, clusterName },
            proto: encodeSpec("Info", { clusterId, clusterName }),
          },
        ];
      },
    },
    {
      namespace: NAMESPACE,
      type: "Affiliates.cluster.talos.dev",
      values: () =>
        node.peers.map((peer) => ({
          namespace: NAMESPACE,
          type: "Affiliates.cluster.talos.dev",
          id: peer.nodeId,
          owner:
            peer.nodeId === node.nodeId
              ? "cluster.LocalAffiliateController"
              : "cluster.AffiliateMergeController",
          spec: {
            nodeId: peer.nodeId,
            addresses: [peer.privateAddress],
            hostname: peer.hostname.fqdn,
            nodename: peer.nodename,
            operatingSystem: operatingSystem(peer),
            machineType: peer.machineType,
            ...(peer.kubeSpan ? { kubespan: affiliateSpec(peer, peer.kubeSpan) } : {}),
            ...controlPlaneSpec(peer),
          },
          proto: encodeSpec("Affiliate", {
            ...protoOf(peer),
            nodename: peer.nodename,
            ...(peer.kubeSpan ? { kubeSpan: affiliateProto(peer, peer.kubeSpan) } : {}),
          }),
        })),
    },
    {
      namespace: NAMESPACE,
      type: "Members.cluster.talos.dev",
      values: () =>
        lastByNodename(node.peers).map((peer) => ({
          namespace: NAMESPACE,
          type: "Members.cluster.talos.dev",
          id: peer.nodename,
          owner: "cluster.MemberController",
          spec: {
            nodeId: peer.nodeId,
            addresses: [peer.privateAddress],
            hostname: peer.hostname.fqdn,
            machineType: peer.machineType,
            operatingSystem: operatingSystem(peer),
            ...controlPlaneSpec(peer),
          },
          proto: encodeSpec("Member", protoOf(peer)),
        })),
    },
  ];
}

/**
 * A member is named by its node name. So of two entries with the same name, the later is the
 * member, possibly a machine that is gone (Talos v1.12.1, `cluster.MemberController`).
 */
function lastByNodename(peers: readonly Peer[]): readonly Peer[] {
  return [...new Map(peers.map((peer) => [peer.nodename, peer])).values()];
}

function operatingSystem(peer: Peer): string {
  return `Talos (${peer.talosVersion})`;
}

function affiliateSpec({ privateAddress }: Peer, { publicKey, address }: KubeSpanIdentity) {
  return {
    publicKey,
    address,
    additionalAddresses: [],
    endpoints: [`${privateAddress}:${kubeSpanPort}`],
  };
}

function affiliateProto({ privateAddress }: Peer, { publicKey, address }: KubeSpanIdentity) {
  return {
    publicKey,
    address: ipOf(address),
    endpoints: [{ ...ipOf(privateAddress), port: kubeSpanPort }],
  };
}

function controlPlaneSpec(peer: Peer): { controlPlane?: { port: number } } {
  return peer.machineType === "controlplane" ? { controlPlane: { port: API_SERVER_PORT } } : {};
}

function protoOf(peer: Peer) {
  const isControlPlane = peer.machineType === "controlplane";
  return {
    nodeId: peer.nodeId,
    addresses: [ipOf(peer.privateAddress)],
    hostname: peer.hostname.fqdn,
    machineType: isControlPlane ? "TYPE_CONTROL_PLANE" : "TYPE_WORKER",
    operatingSystem: operatingSystem(peer),
    ...(isControlPlane ? { controlPlane: { apiServerPort: API_SERVER_PORT } } : {}),
  };
}
