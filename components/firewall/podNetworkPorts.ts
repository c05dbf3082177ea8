import { type FirewallPort, tcp, udp } from "./firewallPort";

/** The pod network; see `FirewallArgs.cni`. */
export type ClusterCni = (typeof CLUSTER_CNIS)[number];

/** All pod networks with known ports. */
export const CLUSTER_CNIS = ["flannel", "cilium", "calico", "none"] as const;

/** A port of a pod network's agents. */
export interface PodNetworkPort {
  readonly port: FirewallPort;
  readonly description: string;
}

/**
 * The ports that the agents of a pod network need between all machines, with their defaults (Talos'
 * Flannel; docs.cilium.io "System Requirements", firewall rules; docs.tigera.io "System
 * requirements", network requirements).
 */
export const POD_NETWORK_PORTS: Readonly<Record<string, readonly PodNetworkPort[] | undefined>> = {
  flannel: [
    // As Talos configures it, not the port that Linux has by default.
    { port: udp(4789), description: "Flannel: pod traffic (VXLAN)" },
  ],
  cilium: [
    { port: udp(8472), description: "Cilium: pod traffic (VXLAN)" },
    { port: tcp(4240), description: "Cilium: health checks" },
    {
      port: { protocol: "icmp", ports: { from: 8, to: 0 } },
      description: "Cilium: health checks (ping)",
    },
    { port: tcp(4244), description: "Cilium: Hubble relay" },
  ],
  calico: [
    { port: tcp(179), description: "Calico: routes (BGP)" },
    { port: { protocol: "ipip" }, description: "Calico: pod traffic (IP in IP)" },
    { port: udp(4789), description: "Calico: pod traffic (VXLAN)" },
    { port: tcp(5473), description: "Calico: Typha" },
  ],
  none: [],
} satisfies Record<ClusterCni, readonly PodNetworkPort[]>;
