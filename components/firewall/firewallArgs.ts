import type * as pulumi from "@pulumi/pulumi";
import type { ClusterCni } from "./podNetworkPorts";

/** A security group of a cluster. */
export type FirewallGroup = (typeof FIREWALL_GROUPS)[number];

/** All groups. */
export const FIREWALL_GROUPS = ["controlPlane", "worker", "loadBalancer"] as const;

/** How clients reach the Kubernetes API; see `FirewallArgs.exposure`. */
export type ApiExposure = (typeof API_EXPOSURES)[number];

/** All exposures. */
export const API_EXPOSURES = ["public", "internal", "both", "direct"] as const;

/** A source of metrics; see `FirewallArgs.monitoring`. */
export type MonitoringTarget = (typeof MONITORING_TARGETS)[number];

/** All sources of metrics. */
export const MONITORING_TARGETS = [
  ...(["kubelet", "controlPlane", "nodeExporter", "cilium"] as const),
  ...(["controllerManager", "scheduler", "etcd", "kubeProxy"] as const),
] as const;

/** Who may query metrics besides the machines and their pods: another security group, or an IPv4 range. */
export type MonitoringPeer =
  | {
      /** Id of the security group, in the same network or one that is peered with it. */
      readonly securityGroupId: pulumi.Input<string>;
    }
  | {
      /** An IPv4 range, for example `10.9.0.0/16`. Never every address. */
      readonly cidr: string;
    };

/** Arguments of `Firewall`. */
export interface FirewallArgs {
  /**
   * Name of the cluster. It is part of the tag by which controllers in the cluster find its groups.
   */
  readonly clusterName: pulumi.Input<string>;
  /** Id of the VPC of the groups. */
  readonly vpcId: pulumi.Input<string>;
  /**
   * IPv4 ranges, and with `ipv6` IPv6 ranges, from which `pulumi up` and `talosctl` run. They reach the Talos API of the control
   * plane. A machine without its first configuration accepts one from every address in them, so
   * keep them narrow. `0.0.0.0/0` is refused.
   */
  readonly operatorCidrs: readonly string[];
  /**
   * IPv4 and IPv6 ranges of the Kubernetes API's clients. Default: `operatorCidrs`. Exclusive with
   * `allowWorldToKubernetesApi`.
   */
  readonly kubernetesApiCidrs?: readonly string[];
  /**
   * Opens the Kubernetes API to every address. It still requires credentials, but anyone can try to
   * exploit it. Default: false.
   */
  readonly allowWorldToKubernetesApi?: boolean;
  /**
   * How clients reach the Kubernetes API: through a load balancer with `public` addresses, an
   * `internal` one, `both`, or `direct`ly at the control plane machines. Default: `public`.
   */
  readonly exposure?: ApiExposure;
  /**
   * Operators reach the Talos API only through the load balancer, port 50000. Use it for machines
   * without public addresses. Default: false, operators reach the machines directly.
   */
  readonly talosApiThroughLoadBalancer?: boolean;
  /**
   * The pod network, and so the ports of its agents between machines: `flannel` VXLAN; `cilium`
   * VXLAN, health checks and Hubble (encryption needs `ciliumWireGuard`, and other tunnels `extraRules`); `calico` BGP,
   * IP in IP, VXLAN and Typha; `none` nothing. Default: `flannel`.
   */
  readonly cni?: ClusterCni;
  /**
   * Opens the port of Cilium's encryption with WireGuard, UDP 51871, between the machines. Default: false.
   */
  readonly ciliumWireGuard?: boolean;
  /** Opens KubeSpan's WireGuard, UDP port 51820, between the machines. Default: false. */
  readonly kubeSpan?: boolean;
  /** IPv4 ranges of machines outside the network that join by KubeSpan. Default: none. */
  readonly kubeSpanCidrs?: readonly string[];
  /**
   * Opens KubeSpan's port to every address, for machines with unknown addresses. It answers only
   * peers with a key of the cluster. Default: false. Exclusive with `kubeSpanCidrs`.
   */
  readonly allowWorldToKubeSpan?: boolean;
  /**
   * Sources of metrics that pods on any machine may query:
   * - `kubelet`: port 10250; the metrics server and Prometheus on workers need it.
   * - `controlPlane`: controller manager, scheduler and etcd; ports 10257, 10259 and 2381.
   *   Configure Talos to serve them. Also 2383, where etcd of Talos v1.14 serves clients with its
   *   certificate.
   * - `nodeExporter`: port 9100.
   * - `cilium`: agents, operator, proxy and Hubble of Cilium; ports 9962 to 9965.
   * - `controllerManager`, `scheduler`, `etcd`: each alone; ports 10257, 10259 and 2381.
   * - `kubeProxy`: port 10249.
   *
   * A cluster's argument `metrics` opens the last four, and has Talos serve them.
   *
   * Control planes always reach every kubelet. Default: none.
   */
  readonly monitoring?: readonly MonitoringTarget[];
  /**
   * Who else may query all sources in `monitoring`, such as a Prometheus outside of the cluster, by names that
   * you choose. The names stay: `{prometheus: {securityGroupId: "sg-0123abcd"}}`. Default: nobody.
   */
  readonly monitoringFrom?: Readonly<Record<string, MonitoringPeer>>;
  /** Additional rules, by names that you choose. The names stay. Default: none. */
  readonly extraRules?: Readonly<Record<string, ExtraFirewallRule>>;
  /**
   * Whether the machines have IPv6 addresses. All outbound IPv6 traffic is then allowed. Default:
   * false.
   */
  readonly ipv6?: boolean;
  /** Uses existing groups. Default: groups are created. */
  readonly adopt?: AdoptedGroupsArgs;
  /** Additional tags for the groups and rules. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** An additional rule. */
export interface ExtraFirewallRule {
  /** The group that gets the rule. */
  readonly group: FirewallGroup;
  /** The protocol of the ports. */
  readonly protocol: "tcp" | "udp";
  /** One port, or the first and the last of a range. */
  readonly ports:
    | number
    | {
        /** The first port. */
        readonly from: number;
        /** The last port. */
        readonly to: number;
      };
  /** The source that the rule allows. */
  readonly from: ExtraFirewallPeer;
  /** Purpose of the rule, in letters, digits, spaces and `._-:/()#,@[]+=&;{}!$*`. */
  readonly description: string;
}

/**
 * The source of a rule: a group of the cluster, another security group, an IPv4 range, or every
 * address. Every address needs this explicit name, and is refused for the ports that protect a
 * cluster.
 */
export type ExtraFirewallPeer =
  | {
      /** A group of the cluster. */
      readonly group: FirewallGroup;
    }
  | {
      /** Id of another security group. */
      readonly securityGroupId: pulumi.Input<string>;
    }
  | {
      /** An IPv4 range, for example `10.0.0.0/16`. */
      readonly cidr: string;
    }
  | {
      /** Every address. */
      readonly world: true;
    };

/** Existing security groups. */
export interface AdoptedGroupsArgs {
  /** The group of the control plane machines. */
  readonly controlPlaneGroupId: pulumi.Input<string>;
  /** The group of the workers. */
  readonly workerGroupId: pulumi.Input<string>;
  /** The group of the load balancer. */
  readonly loadBalancerGroupId: pulumi.Input<string>;
  /**
   * Whether the cluster adds its rules to the groups. They then apply to everything else in the
   * groups too. Default: false; the groups' owner opens what the cluster needs.
   */
  readonly makeRules?: boolean;
}
