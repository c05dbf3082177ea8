import type * as pulumi from "@pulumi/pulumi";
import type { EtcdBackupAddOn } from "../../backup/etcdBackupArgs";

/**
 * What a cluster runs besides Kubernetes, fetched and applied by Talos itself. What each needs of roles,
 * firewall and configuration comes with it; `NodePermissions` says what a permission is.
 *
 * Talos makes what isn't there and changes nothing that is (v1.12.1, manifest_apply.go): another
 * version goes to a cluster that runs by `talosctl upgrade-k8s`, and what is left out here stays there.
 */
export interface ClusterAddOnsArgs {
  /**
   * The AWS cloud controller: services of type `LoadBalancer`, nodes with their zone and type, none
   * left behind when its machine goes. Control planes are permitted to do that, nodes wait for it and
   * are called by their full names: in a cluster that runs, each becomes another Kubernetes node.
   * Default: none.
   */
  readonly cloudController?: AddOnManifest;
  /**
   * The EBS CSI driver: volumes for workloads. The machines its controller may run on are permitted to
   * make them: workers, and control planes where workloads run there. Refused where none of them lets
   * its pods reach the metadata service; place it on those that do. Default: none.
   */
  readonly ebsCsi?: EbsCsiAddOn;
  /**
   * Has each kubelet's serving certificate signed by the cluster, and approves those that are asked
   * for. False leaves kubelets with certificates of their own, also for `metricsServer`. Default: with
   * `metricsServer`, which trusts no others.
   */
  readonly servingCertificateApprover?: boolean | PinnedAddOn;
  /**
   * The metrics server: `kubectl top` and autoscaling by use. Opens kubelets to pods on every machine.
   * Runs where workloads do. Default: none.
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
 * Where the manifest of an add-on is whose makers publish a Helm chart and no manifest that could be
 * applied as it is: exactly one of the two.
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

/** An add-on whose makers publish a manifest with each release. */
export interface PinnedAddOn {
  /** The release, for example `v0.8.1`. Default: one that goes with the Kubernetes minor. */
  readonly version?: string;
  /** A manifest elsewhere, as in `AddOnManifest`. Exclusive with `version`. Default: its makers'. */
  readonly manifestUrls?: readonly string[];
}

/** The EBS CSI driver. */
export interface EbsCsiAddOn extends AddOnManifest {
  /**
   * Its controller is in its machine's network, as its manifest says by `hostNetwork: true`: it gets
   * what it calls AWS with from machines whose metadata service answers no other pod. Default: false, and
   * some pool needs a `metadataHopLimit` of 2.
   */
  readonly hostNetwork?: boolean;
  /** ARNs of keys that encrypt volumes other than AWS' own. Default: none. */
  readonly kmsKeyArns?: readonly string[];
}

/** Cilium. */
export interface CiliumAddOn extends AddOnManifest {
  /**
   * Cilium does the work of kube-proxy, which Talos then doesn't install: the manifest was rendered
   * with `kubeProxyReplacement=true`, `k8sServiceHost=localhost` and `k8sServicePort=7445`, where
   * KubePrism of every machine leads to the API servers. Default: false.
   */
  readonly kubeProxyReplacement?: boolean;
}
