import type * as pulumi from "@pulumi/pulumi";
import type {
  ContractDefault,
  EtcdSnapshotFile,
  HealthGate,
  InlineManifest,
  Patch,
  Role,
  Rotation,
} from "../../../provider";
import type { ClusterAccessArgs } from "../../access/accessArgs";
import type { AddOnDelivery } from "../../addOns/common/addOnDelivery";
import type { ReplicatedAddOnPods } from "../../addOns/common/addOnPodsArgs";
import type { ClusterAddOnsArgs } from "../../addOns/registry";
import type { ApiHealthCheck } from "../../endpoint/planApiHealthCheck";
import type { ApiExposure, FirewallArgs } from "../../firewall/firewallArgs";
import type { ClusterCni } from "../../firewall/podNetworkPorts";
import type { HelmReleaseArgs } from "../../helm";
import type { IssuerBucketArgs } from "../../identity/irsaArgs";
import type { NetworkArgs } from "../../network/networkArgs";
import type {
  ClusterControlPlaneArgs,
  ClusterMachineConfigurationArgs,
} from "./clusterControlPlaneArgs";
import type { ClusterWorkerPoolArgs, ClusterWorkersArgs } from "./clusterWorkersArgs";

/** Arguments of `TalosCluster`. A preview checks all of them together. */
export interface TalosClusterArgs {
  /**
   * Part of the cluster's name in DNS, for example `sandbox`: the Kubernetes API is
   * `k8s.<environment>.<domain>`. Every certificate contains it, so it can't change.
   */
  readonly environment: string;
  /** Your own domain, for example `example.com`. It can't change. */
  readonly domain: string;
  /**
   * Name of the cluster in kubeconfig, talosconfig and tags. It can't change. Default: the component's
   * name.
   */
  readonly clusterName?: pulumi.Input<string>;
  /**
   * The Talos release that the machines run, for example `v1.14.1`. A new one upgrades them in
   * place, at most one minor at a time: first the control plane, machine by machine, then workers
   * by `maxUnavailable`. Machines of auto scaling pools are replaced.
   */
  readonly talosVersion: pulumi.Input<string>;
  /**
   * The dialect of the configuration: the Talos minor that the cluster was created with, for
   * example `v1.14`. An upgrade of Talos does not change it. With machines on Talos v1.14, a cluster may
   * go over to `v1.14`, and back: see `contractDefaults`.
   */
  readonly versionContract: pulumi.Input<string>;
  /**
   * The contract whose defaults the cluster keeps that went over to `versionContract`, such as
   * `v1.12`: write the former `versionContract` here. Settings are then written as the new contract
   * writes them, and mean what they meant; no machine reboots. Groups of machines get new ones, as for any
   * change of their configuration. To take all new defaults, leave it out and accept that. Default:
   * `versionContract`.
   */
  readonly contractDefaults?: string;
  /**
   * Defaults of `versionContract` that such a cluster takes nevertheless, such as `filesystemTrim`. The
   * preview names those that it doesn't have, and says what each changes. Default: none.
   */
  readonly newDefaults?: readonly ContractDefault[];
  /**
   * The Kubernetes release, for example `v1.37.2`. `talosVersion` must support it. A new one
   * upgrades the control plane, then kubelets, at most one minor at a time. kube-proxy follows if
   * `syncManifests` is true.
   */
  readonly kubernetesVersion: pulumi.Input<string>;
  /**
   * Ranges from which `pulumi up` and `talosctl` reach the machines: IPv4, and with `network.ipv6`
   * also IPv6, for example `["203.0.113.7/32"]`. A machine without its first configuration accepts one from every address in them, so
   * keep them narrow. `0.0.0.0/0` is refused.
   */
  readonly operatorCidrs: readonly string[];
  /**
   * IPv4 and IPv6 ranges of the Kubernetes API's clients, for example `["203.0.113.0/24"]`. Default: the
   * operators'.
   */
  readonly kubernetesApiCidrs?: readonly string[];
  /** Opens the Kubernetes API, but not the Talos API, to every address. Default: false. */
  readonly allowWorldToKubernetesApi?: boolean;
  /**
   * How clients reach the Kubernetes API:
   * - `public`: through a load balancer with public addresses.
   * - `internal`: through a load balancer that only the network and connected networks reach.
   *   `pulumi up` must run there.
   * - `both`: through two load balancers. DNS chooses by the place of the client.
   * - `direct`: at the machines' public addresses. This saves the load balancer, but a client may
   *   wait for a dead machine.
   *
   * To change from `public` to `internal` or back, go through `both`. Default: `public`.
   */
  readonly exposure?: ApiExposure;
  /**
   * Operators reach the Talos API only through the load balancer, port 50000. Use it for machines
   * in private subnets with a `public` exposure. The load balancer reaches only configured
   * machines, so `controlPlane.delivery` must be `userData`. The first machine that answers
   * forwards calls to the others. While no machine answers, the Talos API is unreachable. Default:
   * false, operators reach the machines directly.
   */
  readonly talosApiThroughLoadBalancer?: boolean;
  /**
   * When the load balancer sends calls to a machine; see `ApiLoadBalancerArgs.healthCheck`. From
   * Talos v1.14 on only `listening`. Default: `listening`.
   */
  readonly apiHealthCheck?: ApiHealthCheck;
  /**
   * How long the load balancer keeps a connection on which nothing is sent, such as an idle
   * `kubectl exec`. Seconds, 60 to 6000. Without it, a value that was set before stays. Default:
   * AWS' 350.
   */
  readonly loadBalancerIdleTimeoutSeconds?: number;
  /**
   * The cluster's network: its zones and ranges, or an existing VPC; for example
   * `{zones: ["us-east-1a"]}`.
   */
  readonly network: ClusterNetworkArgs;
  /**
   * Metrics of Kubernetes' own components that Talos serves to the machines and their pods, and to
   * `firewall.monitoringFrom`; see `MetricsSource`. Default: none, and the components answer their own
   * machine alone.
   */
  readonly metrics?: readonly MetricsSource[];
  /** Ports that the firewall opens in addition. Default: none. */
  readonly firewall?: ClusterFirewallArgs;
  /**
   * The pod network. The firewall opens its ports, and the machines' configuration installs it.
   * - `flannel`: Talos installs it.
   * - `cilium`, `calico`: `cniManifests` install it, or you do once the API answers. `addOns.cilium` brings
   *   Cilium without any of this.
   * - `none`: you install another one, and open its ports with `firewall.extraRules`.
   *
   * A running cluster keeps it: pods can't reach those of another one. The preview refuses a change unless
   * `acceptedChanges` has it, for example `{cni: "cilium"}`. Default: `flannel`.
   */
  readonly cni?: ClusterCni;
  /**
   * URLs of manifests that install `cni`, for example `https://example.com/v1.0.0/cilium.yaml`. Talos fetches and applies them. Use URLs of a fixed
   * version. Default: none. Then the cluster is done before its nodes are Ready, unless
   * `healthGates` says otherwise.
   */
  readonly cniManifests?: readonly string[];
  /**
   * Encrypts the traffic between machines with WireGuard, and opens its port between them. Needs
   * `machineConfiguration.discovery`, which is on by default. Default: false.
   */
  readonly kubeSpan?: boolean;
  /**
   * Add-ons: cloud controller, EBS CSI driver, metrics server and more; for example
   * `{metricsServer: true}`. Default: none.
   */
  readonly addOns?: ClusterAddOnsArgs;
  /**
   * Pods call AWS with roles of their service accounts (IRSA), which `serviceAccountRole` creates. A
   * bucket publishes the cluster's public keys, AWS trusts tokens signed with them, and the pod
   * identity webhook configures the AWS SDKs in pods. The add-ons of this package then use roles of
   * their own instead of the control plane's. In a running cluster, API servers restart one after
   * another and still accept older tokens. Default: false.
   */
  readonly irsa?: boolean | ClusterIrsaArgs;
  /**
   * How people and pipelines log in to the Kubernetes API: with OpenID Connect, or with IAM roles, for example
   * `{aws: {issuerUrl, roles: {"arn:aws:iam::123456789012:role/Dev": ["deployers"]}}}`; and what groups may
   * do. Needs Kubernetes v1.30. From `versionContract` v1.14 on, a change restarts API servers one after
   * another; by older ones, machines with Talos up to v1.13 reboot for it, one after another. Left out again,
   * tokens are refused and bindings are deleted. Default: client certificates alone.
   */
  readonly access?: ClusterAccessArgs;
  /**
   * A snapshot of the cluster's own etcd, from which a bootstrap starts. docs/backup.md describes a
   * restore. A running etcd is never changed. Default: none.
   */
  readonly recoverFrom?: pulumi.Input<EtcdSnapshotFile>;
  /**
   * The stage of a CA rotation; docs/rotation.md describes it. A rotation takes one `up` per stage,
   * and its last stage stays in the program. Default: the original CAs.
   */
  readonly rotation?: Rotation;
  /**
   * Has AWS KMS encrypt Secrets in etcd; see `ClusterSecretsEncryptionArgs`. Needs Talos v1.14. A running
   * cluster goes over to it, and back, by `rotation.secretboxKey`. Default: the cluster's own secretbox key
   * encrypts them, which machines have in their configuration.
   */
  readonly secretsEncryption?: ClusterSecretsEncryptionArgs;
  /** The control plane. Default: three machines `m6i.large`. */
  readonly controlPlane?: ClusterControlPlaneArgs;
  /** Settings of all workers. Default: those that the cluster derives. */
  readonly workers?: ClusterWorkersArgs;
  /**
   * Worker pools by name, for example `{apps: {machineCount: 2}}`. The name is part of the machines' names, so another name is another pool.
   * Default: none.
   */
  readonly workerPools?: Readonly<Record<string, ClusterWorkerPoolArgs>>;
  /**
   * Where the cluster's DNS name is written. Default: the account's public hosted zone of `domain`.
   */
  readonly dns?: ClusterDnsArgs;
  /** AWS refuses to delete the API load balancer until this is false again. Default: false. */
  readonly loadBalancerDeletionProtection?: pulumi.Input<boolean>;
  /** Ranges of pods. They can't change: nodes keep theirs. Default: `["10.244.0.0/16"]`. */
  readonly podCidrs?: readonly string[];
  /** Ranges of services. They can't change: services keep theirs. Default: `["10.96.0.0/12"]`. */
  readonly serviceCidrs?: readonly string[];
  /**
   * Options of every control plane machine's configuration: labels, sysctls, certificate names,
   * system extensions and more. Default: Talos' defaults.
   */
  readonly machineConfiguration?: ClusterMachineConfigurationArgs;
  /**
   * Patches for every control plane machine's configuration, as in
   * `MachineConfigurationArgs.patches`. Use them for what `machineConfiguration` has no option for.
   * Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * Roles of the `talosconfig` output. `["os:reader"]` allows only reading. Default:
   * `["os:admin"]`, everything.
   */
  readonly talosconfigRoles?: pulumi.Input<pulumi.Input<Role>[]>;
  /**
   * Lifetime of the `talosconfig` output in hours. `pulumi up` renews it in its last third; then
   * fetch it again. Default: 8760, a year.
   */
  readonly talosconfigLifetimeHours?: pulumi.Input<number>;
  /**
   * Lifetime of the certificate in the `kubeconfig` output in hours. Its group is `system:masters`, and
   * nothing but a rotation of the CA takes it back: keep it short, and give people kubeconfigs of their
   * own (`createKubeconfig`). `pulumi up` renews it in its last third, also after its end. Default: Talos'
   * 8760, a year.
   */
  readonly kubeconfigLifetimeHours?: number;
  /**
   * What must be healthy before `pulumi up` finishes: `etcd`, `apiServer`, `nodesReady`. Default:
   * all three, on every machine; without `nodesReady` if the pod network is installed later.
   */
  readonly healthGates?: pulumi.Input<pulumi.Input<HealthGate>[]>;
  /**
   * Whether `pulumi up` applies changed manifests to the cluster: kube-proxy of a new Kubernetes,
   * CoreDNS, the pod network, inline and extra manifests. It deletes objects that no manifest
   * contains any more; the preview warns. It needs access to the Kubernetes API, port 6443. If
   * false, run `talosctl upgrade-k8s` yourself. Default: true.
   */
  readonly syncManifests?: boolean;
  /**
   * Manifests whose objects `pulumi up` applies as soon as the Kubernetes API serves, before it waits for
   * the nodes: `KubernetesObjects` says how. They are no part of a machine's configuration, so they may be
   * large and contain secrets. An object that leaves the list is deleted. Default: none.
   */
  readonly manifests?: pulumi.Input<pulumi.Input<InlineManifest>[]>;
  /**
   * Where the objects of add-ons are. `machineConfiguration`: Talos creates them from the control plane's
   * configuration, which is limited to 16 KiB with `userData`. `afterBootstrap`: `pulumi up` applies them
   * once the Kubernetes API serves, as `manifests`, and repairs them after a `--refresh`. A running cluster
   * can change from one to the other; no object is recreated. The AWS cloud controller and Cilium stay in
   * the configuration, because nodes need them to become Ready, and so do manifests with a URL.
   * Default: `machineConfiguration`.
   */
  readonly addOnDelivery?: AddOnDelivery;
  /**
   * Helm releases by name, for example `{"cert-manager": {chart: "cert-manager", repository:
   * "https://charts.jetstack.io", version: "v1.18.2", namespace: "cert-manager"}}`. They are installed when the cluster
   * is healthy, and a destroy uninstalls them first. Pulumi's Kubernetes plugin runs Helm where `pulumi up` runs; the
   * engine fetches the plugin. A release that is left out is uninstalled. Default: none.
   */
  readonly helm?: Readonly<Record<string, HelmReleaseArgs>>;
  /**
   * How long a machine may take to become healthy with its configuration. Seconds. Default: 600.
   */
  readonly applyTimeoutSeconds?: pulumi.Input<number>;
  /** How long a machine must stay healthy before a change counts as done. Seconds. Default: 5. */
  readonly applySettledSeconds?: pulumi.Input<number>;
  /**
   * Pulumi refuses to delete or replace what the cluster cannot be recreated from: its secrets,
   * machines, load balancer, network and hosted zone. Default: false.
   */
  readonly protect?: boolean;
  /**
   * Accepts changes that are refused in an existing cluster: its network, the architecture of its
   * machines, what a cluster or a machine keeps from its birth (`podCidrs`, or by a patch
   * `cluster.network.dnsDomain`), the defaults of another contract (`contractDefaults`). The key is the path, and the value the new value, both as the refusal
   * in the preview quotes them, for example `{network.cidrBlock: 10.7.0.0/16}`. The preview then shows what is replaced and what breaks. Read it:
   * machines lose their disks. An entry for a completed change has no effect. Default: none.
   */
  readonly acceptedChanges?: Readonly<Record<string, string>>;
  /**
   * Additional tags for every AWS resource that supports tags, for example `{team: storage}`.
   * Default: none.
   */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Quotas that AWS has raised for the account. Default: the account is asked. */
  readonly quotas?: ClusterQuotas;
}

/**
 * Arguments of `TalosClusterArgs.secretsEncryption`: which generations of `rotation.secretboxKey` are keys in
 * AWS KMS. A new cluster has generation 1. A running one goes to generation 2 by the stages `accept`, `issue`
 * and `drop`.
 *
 * API servers ask KMS when they start, and aren't ready while it refuses. Without the key, no Secret
 * can be read, also none of a snapshot of etcd: protect it from deletion. A key costs $1 a month, and each
 * 10,000 calls $0.03 (AWS KMS pricing, November 2026): about $1.20 a month for three control plane machines.
 */
export interface ClusterSecretsEncryptionArgs {
  /**
   * Image of the plugin `kubernetes-sigs/aws-encryption-provider`, with a version or digest. Nobody publishes
   * one, so build it; control planes must be able to fetch it. From a private registry of ECR, their role may, and kubelet
   * logs in.
   */
  readonly pluginImage: string;
  /**
   * ARNs of symmetric keys in KMS by their generation, for example `{"2": key.arn}`. The others are secretbox keys
   * of the cluster's own. The control plane's role gets permission to encrypt and decrypt with them; a role of
   * your own needs it. An alias is refused: it may name another key tomorrow.
   */
  readonly kmsKeyArns: Readonly<Record<string, pulumi.Input<string>>>;
}

/** Arguments of `TalosClusterArgs.irsa`: how pods get IAM roles of their own. */
export interface ClusterIrsaArgs extends Partial<IssuerBucketArgs> {
  /** Name of the bucket. Default: `<environment>-<domain>-oidc`, with `-` for dots. */
  readonly bucketName?: string;
  /**
   * The pod identity webhook, or changes to its pods. With false, pods must mount a token for AWS
   * themselves, as the add-ons of this package do. Default: true.
   */
  readonly webhook?: boolean | ReplicatedAddOnPods;
}

/** AWS quotas that a cluster can reach. A preview refuses to exceed them. */
export interface ClusterQuotas {
  /**
   * Inbound rules of a security group, for IPv4 and IPv6 each (L-0EA8095F). Default: 60, or what the
   * account says if the cluster needs more.
   */
  readonly inboundRulesPerGroup?: number;
  /**
   * Elastic addresses in the region (L-0263D0A3). Each NAT gateway and each fixed address takes
   * one. Other addresses of the account are not counted. Default: 5, or what the account says if
   * the cluster needs more.
   */
  readonly elasticAddresses?: number;
  /**
   * Virtual processors of running on-demand machines of the families A, C, D, H, I, M, R, T and Z
   * (L-1216C47A). Groups count with their most machines, without those that a refresh adds. Other
   * machines of the account are not counted. Default: the account is asked, and nothing is checked
   * if it can't tell.
   */
  readonly onDemandVcpus?: number;
  /** The same of spot machines (L-34B43A08). Default: as above. */
  readonly spotVcpus?: number;
  /** The same of running on-demand machines of G types, which have GPUs (L-DB2E81BA). A new account has 0. Default: as above. */
  readonly onDemandGVcpus?: number;
  /** The same of spot machines of G types (L-3819A6DF). A new account has 0. Default: as above. */
  readonly spotGVcpus?: number;
  /** The same of running on-demand machines of P types, which have several GPUs (L-417A185B). A new account has 0. Default: as above. */
  readonly onDemandPVcpus?: number;
}

/**
 * A component that serves metrics.
 * - `controllerManager`, `scheduler`: ports 10257 and 10259 of control planes, by TLS, to tokens that may `get`
 *   `/metrics`. A change restarts the component.
 * - `etcd`: port 2381 of control planes, in clear, to everyone who reaches it: sizes, times and counts, no
 *   data. A change reboots the control planes, one after another.
 * - `kubeProxy`: port 10249 of every machine, in clear. A change replaces its pods.
 */
export type MetricsSource = (typeof METRICS_SOURCES)[number];

/** All of them. */
export const METRICS_SOURCES = ["controllerManager", "scheduler", "etcd", "kubeProxy"] as const;

/** The network of a cluster; see `NetworkArgs`. */
export type ClusterNetworkArgs = Omit<
  NetworkArgs,
  "clusterName" | "podCidrs" | "serviceCidrs" | "protect" | "tags"
>;

/** Additional rules of a cluster's firewall; see `FirewallArgs`. */
export type ClusterFirewallArgs = Pick<
  FirewallArgs,
  | "kubeSpanCidrs"
  | "allowWorldToKubeSpan"
  | "ciliumWireGuard"
  | "monitoring"
  | "monitoringFrom"
  | "extraRules"
  | "adopt"
>;

/** Where a cluster's DNS name is written; see `DnsRecordArgs`. */
export interface ClusterDnsArgs {
  /** Id of the hosted zone for the record, for example `Z0123456789ABCDEFGHIJ`. Exclusive with `createZone`. */
  readonly zoneId?: pulumi.Input<string>;
  /** Creates a hosted zone. The parent domain must delegate to it. Default: false. */
  readonly createZone?: boolean;
  /**
   * The zone is private to the cluster's network, so the name resolves only there. Only for an
   * `internal` exposure. Default: false.
   */
  readonly privateZone?: boolean;
  /**
   * Name of the zone. Default: `<environment>.<domain>` for a new public zone, the whole name for a
   * new private one, else `domain`.
   */
  readonly zoneName?: string;
  /** The provider for the zone's account. Default: the cluster's own. */
  readonly provider?: pulumi.ProviderResource;
}
