import type * as pulumi from "@pulumi/pulumi";
import type { ClusterCni } from "./podNetworkPorts";

/** A security group of a cluster. */
export type FirewallGroup = (typeof FIREWALL_GROUPS)[number];

/** Every group there is. */
export const FIREWALL_GROUPS = ["controlPlane", "worker", "loadBalancer"] as const;

/** How clients get to the Kubernetes API; `FirewallArgs.exposure` says what each means. */
export type ApiExposure = (typeof API_EXPOSURES)[number];

/** Every way there is. */
export const API_EXPOSURES = ["public", "internal", "both", "direct"] as const;

/** Something that tells its state to monitoring; `FirewallArgs.monitoring` says what each means. */
export type MonitoringTarget = (typeof MONITORING_TARGETS)[number];

/** Everything that can be monitored. */
export const MONITORING_TARGETS = ["kubelet", "controlPlane", "nodeExporter"] as const;

/** Arguments of `Firewall`. */
export interface FirewallArgs {
  /** Name of the cluster, for the tag by which controllers in the cluster find its groups. */
  readonly clusterName: pulumi.Input<string>;
  readonly vpcId: pulumi.Input<string>;
  /**
   * IPv4 ranges that operators come from: where `pulumi up` and `talosctl` run. They reach the
   * Talos API of the control plane, which obeys anyone who reaches it until a machine has its
   * first configuration, so keep them narrow. Never the world.
   */
  readonly operatorCidrs: readonly string[];
  /**
   * IPv4 ranges that clients of the Kubernetes API come from. Default: the operators'. Exclusive
   * with `allowWorldToKubernetesApi`.
   */
  readonly kubernetesApiCidrs?: readonly string[];
  /**
   * Opens the Kubernetes API to every address. It still asks for credentials, but anyone can try
   * flaws in it. Default: false.
   */
  readonly allowWorldToKubernetesApi?: boolean;
  /**
   * What clients of the Kubernetes API go through: a load balancer with `public` addresses, an
   * `internal` one, `both`, or none: `direct`ly to the control plane machines. Default: `public`.
   */
  readonly exposure?: ApiExposure;
  /**
   * Operators reach the Talos API through the load balancer, port 50000, and the machines no other
   * way: for machines without public addresses. Default: false, they reach the machines.
   */
  readonly talosApiThroughLoadBalancer?: boolean;
  /**
   * What gives pods their network, so what its agents need between machines: `flannel` VXLAN;
   * `cilium` VXLAN, health checks and Hubble (encryption and other tunnels are `extraRules`);
   * `calico` BGP, IP in IP, VXLAN and Typha; `none` nothing. Default: `flannel`.
   */
  readonly cni?: ClusterCni;
  /** Opens KubeSpan's WireGuard, UDP port 51820, between the machines. Default: false. */
  readonly kubeSpan?: boolean;
  /** IPv4 ranges of machines elsewhere that join by KubeSpan. Default: none. */
  readonly kubeSpanCidrs?: readonly string[];
  /**
   * Opens KubeSpan's port to every address, for machines elsewhere whose addresses aren't known. It
   * answers nobody without a key of the cluster. Default: false. Exclusive with `kubeSpanCidrs`.
   */
  readonly allowWorldToKubeSpan?: boolean;
  /**
   * What may be asked for metrics by pods on any machine: `kubelet` (port 10250; the metrics server
   * and Prometheus on workers need it), `controlPlane` (controller manager, scheduler and etcd;
   * ports 10257, 10259 and 2381, which Talos has to be told to serve), `nodeExporter` (port 9100).
   * Default: nothing; control planes reach every kubelet at any rate.
   */
  readonly monitoring?: readonly MonitoringTarget[];
  /** More ways in, by names of your own, which stay. Default: none. */
  readonly extraRules?: Readonly<Record<string, ExtraFirewallRule>>;
  /** Whether the machines have IPv6 addresses, too: they may call whom they like there. Default: false. */
  readonly ipv6?: boolean;
  /** Takes groups that are there. Default: groups are made. */
  readonly adopt?: AdoptedGroupsArgs;
  /** More tags for the groups and rules. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A way in that is asked for by hand. */
export interface ExtraFirewallRule {
  /** Whom it opens. */
  readonly group: FirewallGroup;
  readonly protocol: "tcp" | "udp";
  /** One port, or the first and the last of several. */
  readonly ports: number | { readonly from: number; readonly to: number };
  /** To whom it opens. */
  readonly from: ExtraFirewallPeer;
  /** Why it is there, in letters, digits, spaces and `._-:/()#,@[]+=&;{}!$*`. */
  readonly description: string;
}

/**
 * To whom a way in is opened: a group of the cluster, a security group of another, an IPv4 range, or
 * every address; that has to be said by this name, and is refused for the ports that keep a cluster.
 */
export type ExtraFirewallPeer =
  | { readonly group: FirewallGroup }
  | { readonly securityGroupId: pulumi.Input<string> }
  | { readonly cidr: string }
  | { readonly world: true };

/** Security groups that are there. */
export interface AdoptedGroupsArgs {
  readonly controlPlaneGroupId: pulumi.Input<string>;
  readonly workerGroupId: pulumi.Input<string>;
  readonly loadBalancerGroupId: pulumi.Input<string>;
  /**
   * Whether the cluster's rules are put into the groups, where they hold for whatever else is in
   * them. Default: false; the groups' owner opens what the cluster needs.
   */
  readonly makeRules?: boolean;
}
