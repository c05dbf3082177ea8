import type * as pulumi from "@pulumi/pulumi";
import type { EtcdBackupAddOn } from "../../backup/etcdBackupArgs";
import type { LogGroupArgs } from "../../logs/logGroup";
import type { AddOnPods, ReplicatedAddOnPods } from "./addOnPodsArgs";

/**
 * Add-ons of a cluster, which Talos applies. Each one brings the permissions, firewall rules and
 * configuration that it needs; `NodePermissions` explains the permissions.
 *
 * `true`, or an object without a manifest, uses this package's own objects, of a release that
 * supports the Kubernetes minor. Those that call AWS then run on control plane machines, in the
 * host network. So they use the control plane's permissions with any hop limit of the metadata
 * service, and workers get none.
 *
 * A running cluster follows each change with `pulumi up`, unless `syncManifests` is false: an
 * add-on that you remove here is deleted from the cluster.
 */
export interface ClusterAddOnsArgs {
  /**
   * The AWS cloud controller: services of type `LoadBalancer`, nodes with their zone and type, and
   * no node without a machine. Control planes get the permissions. Nodes wait for the controller
   * and are named by their full host names: in a running cluster, each becomes another Kubernetes
   * node. Default: none.
   */
  readonly cloudController?: boolean | CloudControllerAddOn;
  /**
   * The EBS CSI driver: volumes for workloads. With a manifest of yours, the machines that its
   * controller may run on get the permissions: workers, and control planes that run workloads. That
   * is refused if the metadata service answers pods on none of them. Default: none.
   */
  readonly ebsCsi?: boolean | EbsCsiAddOn;
  /**
   * The cluster autoscaler: adds machines to pools with `autoScaling` for pods that do not fit, and
   * removes idle ones. Refused without the cloud controller. Default: none.
   */
  readonly clusterAutoscaler?: boolean | ClusterAutoscalerAddOn;
  /**
   * The AWS load balancer controller: application load balancers for ingresses of the class `alb`, and
   * network load balancers for services of the class `service.k8s.aws/nlb`. Refused without the cloud
   * controller. Default: none.
   */
  readonly loadBalancerController?: boolean | LoadBalancerControllerAddOn;
  /**
   * The AWS node termination handler: drains a worker's node before AWS takes a spot machine away, ends a
   * machine of an auto scaling group, or stops one for maintenance. Groups then keep machines for
   * `autoScaling.drainSeconds`. It needs no permission in AWS. Default: none.
   */
  readonly nodeTerminationHandler?: boolean | NodeTerminationHandlerAddOn;
  /** external-dns: records in Route 53 for services and ingresses. Default: none. */
  readonly externalDns?: ExternalDnsAddOn;
  /**
   * The cluster's CA signs each kubelet's serving certificate, and an approver approves the
   * requests. With false, kubelets use self-signed certificates, also with `metricsServer`. With
   * `true`, machines fetch upstream's manifest. Default: on with `metricsServer`, which trusts no
   * other certificates.
   */
  readonly servingCertificateApprover?: boolean | PinnedAddOn;
  /**
   * The metrics server: `kubectl top` and autoscaling by usage. It opens the kubelets' port to pods
   * on every machine, and runs on machines with workloads. With `true`, machines fetch upstream's
   * manifest. Default: none.
   */
  readonly metricsServer?: boolean | PinnedAddOn;
  /**
   * Sends the API servers' audit log to CloudWatch, event by event: who did what in Kubernetes stays known
   * after a machine is gone, or in the hands of somebody else. A log group is created. Its writers can add
   * records, and neither read nor delete them. About $0.50 per GB of events, and $0.03 per GB and
   * month that is kept (list prices in us-east-1, November 2026). Default: none.
   */
  readonly auditLog?: boolean | AuditLogAddOn;
  /** Cilium as the pod network, in place of `cni` and `cniManifests`. Default: none. */
  readonly cilium?: CiliumAddOn;
  /**
   * Snapshots of etcd in an S3 bucket. The bucket is created with the cluster, has its `protect`,
   * and the control planes' role writes to it. The namespace `etcd-backup` may call the Talos API,
   * only for snapshots. Default: none.
   */
  readonly etcdBackup?: EtcdBackupAddOn;
}

/**
 * A manifest of yours that replaces this package's objects: `manifest` or `manifestUrls`. It
 * excludes the settings of those objects, such as `replicas`.
 */
export interface AddOnManifest {
  /**
   * URLs from which the machines fetch it: https, without credentials, each with a version. The
   * content gets full rights in the cluster.
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
 * The cluster autoscaler. A manifest of yours must place it on control plane machines, in the host
 * network, because only those may resize groups.
 */
export interface ClusterAutoscalerAddOn extends AddOnManifest, ReplicatedAddOnPods {}

/**
 * The AWS load balancer controller, without its admission webhooks, WAF and Shield. It checks an
 * ingress when it works on it, and a service without a class stays with the cloud controller. A
 * manifest of yours must place it on control plane machines, in the host network, because only
 * those have its permissions.
 */
export interface LoadBalancerControllerAddOn extends AddOnManifest, ReplicatedAddOnPods {}

/**
 * The AWS node termination handler, on every worker, in the mode that watches the metadata service. So
 * it needs no queue, no rules for events and no permission, and works in a network without internet. A
 * manifest of yours must be in the host network, unless pools set `metadataHopLimit`.
 */
export interface NodeTerminationHandlerAddOn extends AddOnManifest, AddOnPods {}

/**
 * external-dns. A manifest of yours must place it on control plane machines, in the host network,
 * because only those may write records.
 */
export interface ExternalDnsAddOn extends AddOnManifest, AddOnPods {
  /** Ids of the hosted zones in which it writes records, for example `Z0123456789ABCDEFGHIJ`. */
  readonly zoneIds: readonly pulumi.Input<string>[];
  /**
   * `sync` deletes records of deleted services and ingresses; `upsert-only` never deletes one.
   * Neither changes records that it hasn't created. Default: `upsert-only`.
   */
  readonly policy?: "upsert-only" | "sync";
  /** Kinds of objects that get records. Default: `["service", "ingress"]`. */
  readonly sources?: readonly ("service" | "ingress")[];
}

/**
 * An add-on whose project publishes a manifest with each release. Machines fetch it. With
 * `replicas`, `images`, `resources`, `extraArgs` or `tolerations`, this package's own objects replace it.
 */
export interface PinnedAddOn extends ReplicatedAddOnPods {
  /** The release, for example `v0.8.1`. Default: one that supports the Kubernetes minor. */
  readonly version?: string;
  /**
   * URLs of another manifest, as in `AddOnManifest`. Exclusive with all others. Default:
   * upstream's.
   */
  readonly manifestUrls?: readonly string[];
}

/** The EBS CSI driver. */
export interface EbsCsiAddOn extends AddOnManifest, ReplicatedAddOnPods {
  /**
   * For a manifest of yours: its controller has `hostNetwork: true`. So it gets its credentials
   * from the metadata service with any hop limit. Default: false, and a pool needs a
   * `metadataHopLimit` of 2.
   */
  readonly hostNetwork?: boolean;
  /** ARNs of keys that encrypt volumes other than AWS' own. Default: none. */
  readonly kmsKeyArns?: readonly string[];
  /**
   * Creates the storage class `gp3` and makes it the default for claims without a class: encrypted,
   * in the zone of the first pod, expandable. Only for this package's own objects. Default: true.
   */
  readonly storageClass?: boolean;
}

/**
 * Fluent Bit on each control plane machine, which follows the file of the API server there. It sends each
 * event at least once: a pod that is replaced sends the file's events again, which `auditID` tells apart.
 * It keeps trying while CloudWatch doesn't answer, and Talos keeps the last eleven files of 100 MB.
 *
 * What an API server records is up to its audit policy. Talos' default is each call without its content.
 * A manifest of yours must place it on control plane machines, in the host network, because only those have
 * its permissions.
 */
export interface AuditLogAddOn extends AddOnManifest, AddOnPods, LogGroupArgs {
  /**
   * Name of the log group. A change creates another group, and deletes this one with its records.
   * Default: `/talos/<name of the Kubernetes API in DNS>/audit`.
   */
  readonly logGroupName?: string;
  /**
   * The log group is there and stays as it is. Exclusive with `retentionDays` and `kmsKeyArn`. Default:
   * false, it is created.
   */
  readonly adopt?: boolean;
}

/** Cilium, by a manifest of yours: it is too large for this package to describe. */
export interface CiliumAddOn extends AddOnManifest {
  /**
   * Cilium replaces kube-proxy, so Talos doesn't install it. The manifest must be rendered with
   * `kubeProxyReplacement=true`, `k8sServiceHost=localhost` and `k8sServicePort=7445`: KubePrism,
   * which forwards to the API servers on every machine. Default: false.
   */
  readonly kubeProxyReplacement?: boolean;
}
