import { auditLog, type AuditLogChoice } from "./auditLog";
import { cilium } from "./cilium/cilium";
import type { CiliumChoice } from "./cilium/ciliumAddOn";
import { cloudController, type CloudControllerChoice } from "./cloudController";
import { clusterAutoscaler, type ClusterAutoscalerChoice } from "./clusterAutoscaler";
import type { AddOn } from "./common/addOn";
import { ebsCsi } from "./ebsCsi/ebsCsi";
import type { EbsCsiChoice } from "./ebsCsi/ebsCsiAddOn";
import { etcdBackup } from "./etcdBackup/etcdBackup";
import type { EtcdBackupChoice } from "./etcdBackup/etcdBackupAddOn";
import { externalDns, type ExternalDnsChoice } from "./externalDns";
import { flux } from "./flux/flux";
import type { FluxChoice } from "./flux/fluxAddOn";
import { karpenter } from "./karpenter/karpenter";
import type { KarpenterChoice } from "./karpenter/karpenterAddOn";
import {
  loadBalancerController,
  type LoadBalancerControllerChoice,
} from "./loadBalancerController";
import { metricsServer, type MetricsServerChoice } from "./metricsServer";
import { nodeProblemDetector, type NodeProblemDetectorChoice } from "./nodeProblemDetector";
import {
  nodeTerminationHandler,
  type NodeTerminationHandlerChoice,
} from "./nodeTerminationHandler";
import { nvidiaDevicePlugin, type NvidiaDevicePluginChoice } from "./nvidiaDevicePlugin";
import {
  servingCertificateApprover,
  type ServingCertificateApproverChoice,
} from "./servingCertificateApprover";

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
export interface ClusterAddOnsArgs
  extends
    CloudControllerChoice,
    EbsCsiChoice,
    ClusterAutoscalerChoice,
    LoadBalancerControllerChoice,
    NodeTerminationHandlerChoice,
    ExternalDnsChoice,
    ServingCertificateApproverChoice,
    MetricsServerChoice,
    AuditLogChoice,
    CiliumChoice,
    EtcdBackupChoice,
    NodeProblemDetectorChoice,
    NvidiaDevicePluginChoice,
    FluxChoice,
    KarpenterChoice {}

/** The name of an add-on's argument. */
export type AddOnName = keyof ClusterAddOnsArgs;

/** The settings of each add-on in their long form, without `true` and `false`. */
export type AddOnSettings = {
  readonly [Name in AddOnName]-?: Exclude<ClusterAddOnsArgs[Name], boolean | undefined>;
};

/** All add-ons, in the order in which machines get their manifests. */
export const ADD_ONS: { readonly [Name in AddOnName]: AddOn<AddOnSettings[Name]> } = {
  cilium,
  cloudController,
  ebsCsi,
  clusterAutoscaler,
  loadBalancerController,
  externalDns,
  nodeTerminationHandler,
  servingCertificateApprover,
  metricsServer,
  auditLog,
  etcdBackup,
  nodeProblemDetector,
  nvidiaDevicePlugin,
  flux,
  karpenter,
};

/** The names of all add-ons, in the same order. */
export const ADD_ON_NAMES = Object.keys(ADD_ONS) as AddOnName[];
