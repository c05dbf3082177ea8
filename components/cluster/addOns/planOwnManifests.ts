import type { InlineManifest } from "../../../provider";
import type { AddOnPods } from "../arguments/addOnPodsArgs";
import { type AddOnChoices, isOwn, isOwnPinned } from "./addOnChoices";
import type { AwsAddOnName } from "./addOnChoices";
import type { PodIdentity } from "./objects/addOnPods";
import type { AddOnScope } from "./objects/addOnScope";
import { auditLogObjects } from "./objects/auditLogObjects";
import { certificateApproverObjects } from "./objects/certificateApproverObjects";
import { cloudControllerObjects } from "./objects/cloudControllerObjects";
import { clusterAutoscalerObjects } from "./objects/clusterAutoscalerObjects";
import { ebsCsiObjects } from "./objects/ebsCsiObjects";
import { externalDnsObjects, type KnownExternalDns } from "./objects/externalDnsObjects";
import { type KubernetesObject, manifestOf } from "./objects/kubernetesObject";
import { loadBalancerControllerObjects } from "./objects/loadBalancerControllerObjects";
import { metricsServerObjects } from "./objects/metricsServerObjects";
import { nodeTerminationHandlerObjects } from "./objects/nodeTerminationHandlerObjects";
import { withImages } from "./objects/withImages";

/** The names of add-ons' manifests, whether they are the user's or this package's. */
export const MANIFEST_NAMES = {
  cloudController: "aws-cloud-controller",
  ebsCsi: "aws-ebs-csi-driver",
  clusterAutoscaler: "cluster-autoscaler",
  loadBalancerController: "aws-load-balancer-controller",
  externalDns: "external-dns",
  nodeTerminationHandler: "aws-node-termination-handler",
  servingCertificateApprover: "kubelet-serving-cert-approver",
  metricsServer: "metrics-server",
  auditLog: "audit-log",
} as const;

/** An add-on that this package can write objects for. */
export type OwnAddOnName = keyof typeof MANIFEST_NAMES;

const OWN_ADD_ONS = Object.keys(MANIFEST_NAMES) as readonly OwnAddOnName[];

/** The add-ons of which this package's objects are used, not the user's, in the order of their manifests. */
export function ownedAddOns(choices: AddOnChoices): readonly OwnAddOnName[] {
  const { servingCertificateApprover, metricsServer, ...others } = choices;
  const pinned = { servingCertificateApprover, metricsServer };
  return OWN_ADD_ONS.filter((name) => {
    if (name === "servingCertificateApprover" || name === "metricsServer") {
      const addOn = pinned[name];
      return addOn !== undefined && isOwnPinned(addOn);
    }
    const addOn = others[name];
    return addOn !== undefined && isOwn(addOn);
  });
}

/** The add-ons of a cluster, with all outputs known. */
export type KnownChoices = Omit<AddOnChoices, "externalDns"> & {
  readonly externalDns?: KnownExternalDns;
};

/** The IAM roles of add-ons. An add-on without one uses its machine's role. */
export type AddOnIdentities = Partial<Readonly<Record<AwsAddOnName, PodIdentity>>>;

/** The manifests of the add-ons that this package writes objects for, always in the same order. */
export function planOwnManifests(
  scope: AddOnScope,
  choices: KnownChoices,
  identities: AddOnIdentities = {},
): InlineManifest[] {
  const { cloudController, ebsCsi, clusterAutoscaler, loadBalancerController } = choices;
  const { externalDns, servingCertificateApprover: approver, metricsServer } = choices;
  const { nodeTerminationHandler, auditLog } = choices;
  const own = <AddOn extends Pick<AddOnPods, "images">>(
    name: OwnAddOnName,
    addOn: AddOn | undefined,
    isOurs: (addOn: AddOn) => boolean,
    objects: (addOn: AddOn) => readonly KubernetesObject[],
  ): InlineManifest[] =>
    addOn === undefined || !isOurs(addOn)
      ? []
      : [
          {
            name: MANIFEST_NAMES[name],
            contents: manifestOf(withImages(objects(addOn), addOn.images)),
          },
        ];
  return [
    ...own("cloudController", cloudController, isOwn, (addOn) =>
      cloudControllerObjects(scope, addOn, identities.cloudController),
    ),
    ...own("ebsCsi", ebsCsi, isOwn, (addOn) => ebsCsiObjects(scope, addOn, identities.ebsCsi)),
    ...own("clusterAutoscaler", clusterAutoscaler, isOwn, (addOn) =>
      clusterAutoscalerObjects(scope, addOn, identities.clusterAutoscaler),
    ),
    ...own("loadBalancerController", loadBalancerController, isOwn, (addOn) =>
      loadBalancerControllerObjects(scope, addOn, identities.loadBalancerController),
    ),
    ...own("externalDns", externalDns, isOwn, (addOn) =>
      externalDnsObjects(scope, addOn, identities.externalDns),
    ),
    ...own("nodeTerminationHandler", nodeTerminationHandler, isOwn, (addOn) =>
      nodeTerminationHandlerObjects(scope, addOn),
    ),
    ...own("servingCertificateApprover", approver, isOwnPinned, (addOn) =>
      certificateApproverObjects(scope, addOn),
    ),
    ...own("metricsServer", metricsServer, isOwnPinned, (addOn) =>
      metricsServerObjects(scope, addOn),
    ),
    ...own("auditLog", auditLog, isOwn, (addOn) =>
      auditLogObjects(scope, addOn, identities.auditLog),
    ),
  ];
}
