import type { AddOnManifest } from "../common/addOnManifest";
import type { ReplicatedAddOnPods } from "../common/addOnPodsArgs";

/** The argument of the EBS CSI driver. */
export interface EbsCsiChoice {
  /**
   * The EBS CSI driver: volumes for workloads. With a manifest of yours, the machines that its
   * controller may run on get the permissions: workers, and control planes that run workloads. That
   * is refused if the metadata service answers pods on none of them. Default: none.
   */
  readonly ebsCsi?: boolean | EbsCsiAddOn;
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
