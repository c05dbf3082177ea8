import type * as pulumi from "@pulumi/pulumi";
import type { EtcdBackupAddOn } from "../../backup/etcdBackupArgs";
import type { AddOnPods, ReplicatedAddOnPods } from "./addOnPodsArgs";

/**
 * What a cluster runs besides Kubernetes, applied by Talos itself. What each needs of roles, firewall and
 * configuration comes with it; `NodePermissions` says what a permission is.
 *
 * `true`, or an object without a manifest, takes this package's own objects, of a release that goes with the
 * Kubernetes minor. What calls AWS then runs on control plane machines, in their network: so it gets the
 * control plane's permissions, whatever the hop limit of the metadata service is, and no worker gets any.
 *
 * A cluster that runs follows each change by `pulumi up`, unless `syncManifests` is false: what is left
 * out here is deleted from it.
 */
export interface ClusterAddOnsArgs {
  /**
   * The AWS cloud controller: services of type `LoadBalancer`, nodes with their zone and type, none
   * left behind when its machine goes. Control planes are permitted to do that, nodes wait for it and
   * are called by their full names: in a cluster that runs, each becomes another Kubernetes node.
   * Default: none.
   */
  readonly cloudController?: boolean | CloudControllerAddOn;
  /**
   * The EBS CSI driver: volumes for workloads. With a manifest of yours, the machines its controller may
   * run on are permitted to make them: workers, and control planes where workloads run there. That is
   * refused where none of them lets its pods reach the metadata service. Default: none.
   */
  readonly ebsCsi?: boolean | EbsCsiAddOn;
  /**
   * The cluster autoscaler: pools with `autoScaling` get machines for pods that find no room, and lose
   * those that stand idle. Refused without the cloud controller. Default: none.
   */
  readonly clusterAutoscaler?: boolean | ClusterAutoscalerAddOn;
  /**
   * The AWS load balancer controller: application load balancers for ingresses of the class `alb`, and
   * network load balancers for services of the class `service.k8s.aws/nlb`. Refused without the cloud
   * controller. Default: none.
   */
  readonly loadBalancerController?: boolean | LoadBalancerControllerAddOn;
  /** external-dns: records in Route 53 for services and ingresses. Default: none. */
  readonly externalDns?: ExternalDnsAddOn;
  /**
   * Has each kubelet's serving certificate signed by the cluster, and approves those that are asked
   * for. False leaves kubelets with certificates of their own, also for `metricsServer`. `true` has
   * machines fetch its makers' manifest. Default: with `metricsServer`, which trusts no others.
   */
  readonly servingCertificateApprover?: boolean | PinnedAddOn;
  /**
   * The metrics server: `kubectl top` and autoscaling by use. Opens kubelets to pods on every machine.
   * Runs where workloads do. `true` has machines fetch its makers' manifest. Default: none.
   */
  readonly metricsServer?: boolean | PinnedAddOn;
  /** Cilium as the pod network, in place of `cni` and `cniManifests`. Default: none. */
  readonly cilium?: CiliumAddOn;
  /**
   * Snapshots of etcd in a bucket of S3, which is made, protected when the cluster is, and written to
   * by the control planes' role. Lets the Talos API be called from the namespace `etcd-backup`, for
   * snapshots alone. Default: none.
   */
  readonly etcdBackup?: EtcdBackupAddOn;
}

/**
 * A manifest of yours, in place of this package's objects: one of the two. It excludes what changes those
 * objects, as `replicas`.
 */
export interface AddOnManifest {
  /**
   * URLs from which the machines fetch it, https and without credentials, each of one version: what is
   * there becomes part of the cluster with every right.
   */
  readonly manifestUrls?: readonly string[];
  /**
   * The manifest itself, YAML, as `helm template` writes it. It is part of every control plane
   * machine's configuration.
   */
  readonly manifest?: pulumi.Input<string>;
}

/** The AWS cloud controller. It runs on every control plane machine. */
export interface CloudControllerAddOn extends AddOnManifest, AddOnPods {}

/**
 * The cluster autoscaler. A manifest of yours has to place it on control plane machines, in their network,
 * as only those are permitted to resize groups.
 */
export interface ClusterAutoscalerAddOn extends AddOnManifest, ReplicatedAddOnPods {}

/**
 * The AWS load balancer controller, without its admission webhooks, WAF and Shield: ingresses are checked
 * when it works on them, and a service without a class stays with the cloud controller. A manifest of yours
 * has to place it on control plane machines, in their network, as only those are permitted to do its work.
 */
export interface LoadBalancerControllerAddOn extends AddOnManifest, ReplicatedAddOnPods {}

/**
 * external-dns. A manifest of yours has to place it on control plane machines, in their network, as only
 * those are permitted to write records.
 */
export interface ExternalDnsAddOn extends AddOnManifest, AddOnPods {
  /** Ids of the hosted zones that it writes into, for example `Z0123456789ABCDEFGHIJ`; no others. */
  readonly zoneIds: readonly pulumi.Input<string>[];
  /**
   * `sync` deletes records of services and ingresses that are gone; `upsert-only` never deletes one.
   * It leaves alone what it hasn't made. Default: `upsert-only`.
   */
  readonly policy?: "upsert-only" | "sync";
  /** Kinds of objects that records are made for. Default: `["service", "ingress"]`. */
  readonly sources?: readonly ("service" | "ingress")[];
}

/**
 * An add-on whose makers publish a manifest with each release, which machines fetch; `replicas`,
 * `resources`, `extraArgs` or `tolerations` take this package's own objects in its place.
 */
export interface PinnedAddOn extends ReplicatedAddOnPods {
  /** The release, for example `v0.8.1`. Default: one that goes with the Kubernetes minor. */
  readonly version?: string;
  /** A manifest elsewhere, as in `AddOnManifest`. Exclusive with all others. Default: its makers'. */
  readonly manifestUrls?: readonly string[];
}

/** The EBS CSI driver. */
export interface EbsCsiAddOn extends AddOnManifest, ReplicatedAddOnPods {
  /**
   * With a manifest of yours: its controller is in its machine's network, as that says by
   * `hostNetwork: true`. It then gets what it calls AWS with from machines whose metadata service answers
   * no other pod. Default: false, and some pool needs a `metadataHopLimit` of 2.
   */
  readonly hostNetwork?: boolean;
  /** ARNs of keys that encrypt volumes other than AWS' own. Default: none. */
  readonly kmsKeyArns?: readonly string[];
  /**
   * Makes the storage class `gp3` and has claims without a class use it: encrypted, in the zone of the
   * first pod, larger on demand. For this package's own objects alone. Default: true.
   */
  readonly storageClass?: boolean;
}

/** Cilium, by a manifest of yours: what it takes is too much for this package to describe. */
export interface CiliumAddOn extends AddOnManifest {
  /**
   * Cilium does the work of kube-proxy, which Talos then doesn't install: the manifest was rendered
   * with `kubeProxyReplacement=true`, `k8sServiceHost=localhost` and `k8sServicePort=7445`, where
   * KubePrism of every machine leads to the API servers. Default: false.
   */
  readonly kubeProxyReplacement?: boolean;
}
