import { kubeSpanPort } from "../../machine/kubeSpanIdentity";
import type { NodeState, Peer } from "../../machine/nodeState";
import { timestamp } from "../../rpc/times";
import { type ResourceSource, sourceOf } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";

/** MTU of the WireGuard link (talos v1.12.1, `constants.KubeSpanLinkMTU`). */
const MTU = 1420;

/**
 * KubeSpan, the WireGuard network of the nodes: its configuration, the node's identity, and its
 * peers.
 */
export function kubeSpanSources(node: NodeState): readonly ResourceSource[] {
  const self = () => node.peers.find(({ nodeId }) => nodeId === node.nodeId);
  const own = () => self()?.kubeSpan;
  // A real node reports a lost peer at the latest 275 s after the last handshake (talos v1.12.1,
  // `wireguard.PeerDownInterval`).
  const isUp = (peer: Peer) => peer.isReachable && self()?.isReachable === true;
  const others = () => (own() ? node.peers.filter(({ nodeId }) => nodeId !== node.nodeId) : []);
  const startedAt = node.uptime.startedAt;
  return [
    sourceOf(
      {
        namespace: "config",
        type: "KubeSpanConfigs.kubespan.talos.dev",
        owner: "kubespan.ConfigController",
      },
      () => {
        if (!node.config) {
          return [];
        }
        const { kubeSpanEnabled, clusterId, clusterSecret } = node.config.facts;
        const spec = {
          enabled: kubeSpanEnabled,
          clusterId,
          sharedSecret: clusterSecret,
          forceRouting: true,
          mtu: MTU,
        };
        return [
          {
            id: "kubespan",
            spec: { ...spec, advertiseKubernetesNetworks: false, harvestExtraEndpoints: false },
            proto: encodeSpec("KubeSpanConfig", spec),
          },
        ];
      },
    ),
    sourceOf(
      {
        namespace: "kubespan",
        type: "KubeSpanIdentities.kubespan.talos.dev",
        owner: "kubespan.IdentityController",
      },
      () => {
        const identity = own();
        if (!identity) {
          return [];
        }
        const { address, subnet, publicKey, privateKey } = identity;
        const [network = ""] = subnet.split("/");
        return [
          {
            id: "local",
            spec: { address: `${address}/128`, subnet, privateKey, publicKey },
            proto: encodeSpec("KubeSpanIdentity", {
              address: { ...ipOf(address), prefixLength: 128 },
              subnet: { ...ipOf(network), prefixLength: 64 },
              privateKey,
              publicKey,
            }),
          },
        ];
      },
    ),
    sourceOf(
      {
        namespace: "kubespan",
        type: "KubeSpanPeerSpecs.kubespan.talos.dev",
        owner: "kubespan.PeerSpecController",
      },
      () =>
        others().flatMap((peer) => {
          if (!peer.kubeSpan) {
            return [];
          }
          const { address, publicKey } = peer.kubeSpan;
          const label = peer.hostname.fqdn;
          return [
            {
              id: publicKey,
              spec: {
                address,
                allowedIPs: [`${peer.privateAddress}/32`, `${address}/128`],
                endpoints: [endpointOf(peer)],
                label,
              },
              proto: encodeSpec("KubeSpanPeerSpec", {
                address: ipOf(address),
                allowedIps: [
                  { ...ipOf(peer.privateAddress), prefixLength: 32 },
                  { ...ipOf(address), prefixLength: 128 },
                ],
                endpoints: [endpointProto(peer)],
                label,
              }),
            },
          ];
        }),
    ),
    sourceOf(
      {
        namespace: "kubespan",
        type: "KubeSpanPeerStatuses.kubespan.talos.dev",
        owner: "kubespan.ManagerController",
      },
      () =>
        others().flatMap((peer) => {
          if (!peer.kubeSpan) {
            return [];
          }
          const endpoint = endpointOf(peer);
          const label = peer.hostname.fqdn;
          return [
            {
              id: peer.kubeSpan.publicKey,
              spec: {
                endpoint,
                label,
                state: isUp(peer) ? "up" : "down",
                receiveBytes: 0,
                transmitBytes: 0,
                lastHandshakeTime: startedAt.toISOString(),
                lastUsedEndpoint: endpoint,
                lastEndpointChange: startedAt.toISOString(),
              },
              proto: encodeSpec("KubeSpanPeerStatus", {
                endpoint: endpointProto(peer),
                label,
                state: isUp(peer) ? "PEER_STATE_UP" : "PEER_STATE_DOWN",
                lastHandshakeTime: timestamp(startedAt),
                lastUsedEndpoint: endpointProto(peer),
              }),
            },
          ];
        }),
    ),
  ];
}

function endpointOf({ privateAddress }: Peer): string {
  return `${privateAddress}:${kubeSpanPort}`;
}

function endpointProto({ privateAddress }: Peer) {
  return { ...ipOf(privateAddress), port: kubeSpanPort };
}
