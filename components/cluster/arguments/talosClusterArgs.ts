import type * as pulumi from "@pulumi/pulumi";
import type {
  EtcdSnapshotFile,
  HealthGate,
  MachineConfigurationArgs,
  Patch,
  Role,
  Rotation,
} from "../../../provider";
import type { ApiHealthCheck } from "../../endpoint/planApiHealthCheck";
import type { ApiExposure, FirewallArgs } from "../../firewall/firewallArgs";
import type { ClusterCni } from "../../firewall/podNetworkPorts";
import type { IssuerBucketArgs } from "../../identity/irsaArgs";
import type { NetworkArgs } from "../../network/networkArgs";
import type { ReplicatedAddOnPods } from "./addOnPodsArgs";
import type { ClusterAddOnsArgs } from "./clusterAddOnsArgs";
import type { ClusterControlPlaneArgs } from "./clusterControlPlaneArgs";
import type { ClusterWorkerPoolArgs, ClusterWorkersArgs } from "./clusterWorkersArgs";

export interface TalosClusterArgs {
  /**
   * Part of the cluster's name in DNS, for example `sandbox`: the Kubernetes API is
   * `k8s.<environment>.<domain>`. It stands in every certificate, so it can't change.
   */
  readonly environment: string;
  /** A domain of your own, for example `example.com`. It can't change either. */
  readonly domain: string;
  /** Name of the cluster in kubeconfig, talosconfig and tags. Default: the component's name. */
  readonly clusterName?: pulumi.Input<string>;
  /**
   * The Talos release that the machines run, for example `v1.12.1`. Another one upgrades them in place, at
   * most one minor at a time: the control plane machine by machine, then workers by `maxUnavailable`.
   * Machines of auto scaling pools are replaced.
   */
  readonly talosVersion: pulumi.Input<string>;
  /**
   * The dialect of configuration, the Talos minor the cluster is created with, for example
   * `v1.12`. Frozen: an upgrade of Talos leaves it alone.
   */
  readonly versionContract: pulumi.Input<string>;
  /**
   * For example `v1.35.0`; one that `talosVersion` supports. Another one upgrades the control plane, then
   * kubelets, at most one minor at a time. It leaves kube-proxy as it is: `talosctl upgrade-k8s` brings that.
   */
  readonly kubernetesVersion: pulumi.Input<string>;
  /**
   * IPv4 ranges from which `pulumi up` and `talosctl` reach the machines. A machine without its
   * first configuration obeys anyone in them: keep them narrow. Never the world.
   */
  readonly operatorCidrs: readonly string[];
  /** IPv4 ranges of the Kubernetes API's clients. Default: the operators'. */
  readonly kubernetesApiCidrs?: readonly string[];
  /** Opens the Kubernetes API, not Talos', to every address. Default: false. */
  readonly allowWorldToKubernetesApi?: boolean;
  /**
   * What clients of the Kubernetes API go through: a load balancer with `public` addresses; an
   * `internal` one, reached from the network and what is connected to it, where `pulumi up` has to
   * run then; `both`, between which clients are led by where they ask from; or none, `direct`ly to
   * the machines' public addresses, which costs no load balancer, but a client may wait for a dead
   * machine. To go from one load balancer to the other go by way of `both`. Default: `public`.
   */
  readonly exposure?: ApiExposure;
  /**
   * Operators reach the Talos API through the load balancer, port 50000, and the machines no other
   * way: for machines in private subnets with a `public` exposure. A load balancer leads to any
   * machine that is configured and to none that waits for it, so `controlPlane.delivery` has to be
   * `userData`. The first machine that answers then forwards; while none does, nobody gets in.
   * Default: false, operators reach the machines themselves.
   */
  readonly talosApiThroughLoadBalancer?: boolean;
  /** When a machine gets calls; `ApiLoadBalancerArgs.healthCheck` says more. Default: by contract. */
  readonly apiHealthCheck?: ApiHealthCheck;
  /** Where the cluster lies. */
  readonly network: ClusterNetworkArgs;
  /** What the firewall opens besides what the other arguments need. Default: nothing. */
  readonly firewall?: ClusterFirewallArgs;
  /**
   * What gives pods their network: the firewall opens what it needs, the machines' configuration
   * says who brings it. `flannel` Talos brings itself; `cilium` and `calico` come by `cniManifests`,
   * or from you once the API answers; so does what `none` leaves open, whose ports
   * `firewall.extraRules` open. Going over to another one in a cluster that runs is up to you.
   * Default: `flannel`.
   */
  readonly cni?: ClusterCni;
  /**
   * URLs of manifests that install `cni`, which Talos fetches and applies; name a version in them.
   * Default: none, so the cluster is done before its nodes are Ready unless `healthGates` says else.
   */
  readonly cniManifests?: readonly string[];
  /**
   * Has the traffic between machines go through WireGuard, and opens its port between them. Needs
   * `machineConfiguration.discovery`, which is on by default. Default: false.
   */
  readonly kubeSpan?: boolean;
  /**
   * What the cluster runs besides Kubernetes: cloud controller, EBS CSI driver, metrics server and
   * more. Default: nothing.
   */
  readonly addOns?: ClusterAddOnsArgs;
  /**
   * Pods call AWS by roles of their service accounts (IRSA), which `serviceAccountRole` makes: the cluster's
   * public keys are published in a bucket, AWS trusts tokens that they verify, and the pod identity
   * webhook gives pods what AWS' SDKs take. This package's own add-ons then have roles of their own, and the
   * control plane's role loses their permissions. In a cluster that runs, API servers restart one after the
   * other, and go on taking tokens of before. Default: false.
   */
  readonly irsa?: boolean | ClusterIrsaArgs;
  /**
   * What etcd starts from when the cluster is bootstrapped, a snapshot of its own etcd: docs/backup.md says
   * how a cluster is restored. One that runs is never touched by it. Default: nothing.
   */
  readonly recoverFrom?: pulumi.Input<EtcdSnapshotFile>;
  /**
   * How far the cluster's certificate authorities are rotated: docs/rotation.md says how. A rotation takes one
   * `up` for each of its stages, and its last stage stays in the program. Default: they are those that the cluster was
   * made with.
   */
  readonly rotation?: Rotation;
  /** Default: three machines `m6i.large`. */
  readonly controlPlane?: ClusterControlPlaneArgs;
  /** What all workers have in common. Default: nothing but what the cluster makes of them. */
  readonly workers?: ClusterWorkersArgs;
  /**
   * Workers, by names of pools, which stand in those of their machines: another name is another pool.
   * Default: none.
   */
  readonly workerPools?: Readonly<Record<string, ClusterWorkerPoolArgs>>;
  /** Default: the name is written into the account's public hosted zone of `domain`. */
  readonly dns?: ClusterDnsArgs;
  /** AWS refuses to delete the API load balancer until this is false again. Default: false. */
  readonly loadBalancerDeletionProtection?: pulumi.Input<boolean>;
  /** Ranges of pods. Default: `["10.244.0.0/16"]`. They can't change. */
  readonly podCidrs?: readonly string[];
  /** Ranges of services. Default: `["10.96.0.0/12"]`. They can't change. */
  readonly serviceCidrs?: readonly string[];
  /**
   * What the configuration of every control plane machine says besides what the cluster makes of
   * it: labels, sysctls, certificate names, system extensions and more. Default: Talos' defaults.
   */
  readonly machineConfiguration?: ClusterMachineConfigurationArgs;
  /**
   * Patches for the machine configuration of every control plane machine, as
   * `MachineConfigurationArgs.patches` takes them; for what `machineConfiguration` has no word for.
   * Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * What the holder of the `talosconfig` output may do. Default: `["os:admin"]`, everything; with
   * `["os:reader"]` it only looks.
   */
  readonly talosconfigRoles?: pulumi.Input<pulumi.Input<Role>[]>;
  /**
   * How long the `talosconfig` output is valid: its last third renews it by an `up`, and whoever
   * holds an older one fetches it anew. Default: 8760, a year.
   */
  readonly talosconfigLifetimeHours?: pulumi.Input<number>;
  /**
   * What has to be well before the cluster is done: `etcd`, `apiServer`, `nodesReady`. Default: all of
   * it, on every machine; without `nodesReady` where the network plugin comes later.
   */
  readonly healthGates?: pulumi.Input<pulumi.Input<HealthGate>[]>;
  /**
   * Whether the cluster follows its manifests when they change: kube-proxy with another Kubernetes, CoreDNS, the
   * pod network, inline and extra manifests. What is in none any more is deleted, which a preview warns of. It takes
   * the Kubernetes API, port 6443, to be within reach. False: `talosctl upgrade-k8s` is for you to run. Default: true.
   */
  readonly syncManifests?: boolean;
  /** How long a machine may take until it is well with its configuration. Seconds. Default: 600. */
  readonly applyTimeoutSeconds?: pulumi.Input<number>;
  /** How long a machine has to stay well after a change until that counts as done. Seconds. Default: 5. */
  readonly applySettledSeconds?: pulumi.Input<number>;
  /**
   * Pulumi refuses to delete or replace what the cluster can't be made again from: its secrets,
   * machines, load balancer, network and hosted zone. Default: false.
   */
  readonly protect?: boolean;
  /**
   * What can't change in a cluster that exists (its network, the architecture of its machines) and is to
   * change all the same: the new value, as the refusal in the preview quotes it, by the path that it
   * names. The preview then shows what is replaced: read it, machines lose what is on their disks. An
   * entry for what was changed already does nothing. Default: none.
   */
  readonly acceptedChanges?: Readonly<Record<string, string>>;
  /** More tags for every AWS resource that takes tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** What the account is let have, where AWS has raised it. Default: what every account has. */
  readonly quotas?: ClusterQuotas;
}

/** How pods get roles of their own. */
export interface ClusterIrsaArgs extends Partial<IssuerBucketArgs> {
  /** Default: `<environment>-<domain>-oidc`, dots as `-`. */
  readonly bucketName?: string;
  /**
   * The pod identity webhook, or how its pods differ. False leaves it out: pods then have to ask for their tokens
   * themselves, as this package's own add-ons do. Default: true.
   */
  readonly webhook?: boolean | ReplicatedAddOnPods;
}

/** Quotas that a cluster can reach, which a preview refuses to go beyond. */
export interface ClusterQuotas {
  /** Inbound rules of a security group, for IPv4 and IPv6 each (L-0EA8095F). Default: 60. */
  readonly inboundRulesPerGroup?: number;
  /**
   * Elastic addresses in the region (L-0263D0A3), of which NAT gateways and fixed addresses take one
   * each; what else in the account has some isn't counted. Default: 5.
   */
  readonly elasticAddresses?: number;
}

/**
 * Options of a machine configuration that the cluster doesn't set itself; see
 * `MachineConfigurationArgs`. What opens ports between machines is the cluster's own: `cni` and
 * `kubeSpan`.
 */
export type ClusterMachineConfigurationArgs = Omit<
  MachineConfigurationArgs,
  | "clusterName"
  | "endpoint"
  | "machineType"
  | "secretsBundle"
  | "acceptedAuthorities"
  | "platform"
  | "talosVersion"
  | "versionContract"
  | "kubernetesVersion"
  | "installDisk"
  | "podCidrs"
  | "serviceCidrs"
  | "hostname"
  | "cni"
  | "kubeSpan"
  | "patches"
>;

/** Where a cluster lies; `NetworkArgs` says what each means. */
export type ClusterNetworkArgs = Omit<
  NetworkArgs,
  "clusterName" | "podCidrs" | "serviceCidrs" | "protect" | "tags"
>;

/** What a cluster's firewall opens besides; `FirewallArgs` says what each means. */
export type ClusterFirewallArgs = Pick<
  FirewallArgs,
  "kubeSpanCidrs" | "allowWorldToKubeSpan" | "monitoring" | "extraRules" | "adopt"
>;

/** Where a cluster's name is written; `DnsRecordArgs` says more. */
export interface ClusterDnsArgs {
  /** Id of the hosted zone to write into. Exclusive with `createZone`. */
  readonly zoneId?: pulumi.Input<string>;
  /** Makes a hosted zone, which the parent domain has to delegate to. Default: false. */
  readonly createZone?: boolean;
  /**
   * The zone is private to the cluster's network, so that nobody else learns the name. For an
   * `internal` exposure only. Default: false.
   */
  readonly privateZone?: boolean;
  /**
   * Default: `<environment>.<domain>` for a zone that is made (the whole name for a private one), else
   * `domain`.
   */
  readonly zoneName?: string;
  /** The provider of the account that the zone is in. Default: the cluster's own. */
  readonly provider?: pulumi.ProviderResource;
}
