import { parse } from "yaml";
import type { KnownChoices } from "../../../components/addOns/addOnChoices";
import type { ReplicatedAddOnPods } from "../../../components/addOns/common/addOnPodsArgs";
import type { AddOnScope } from "../../../components/addOns/common/addOnScope";
import {
  type AddOnIdentities,
  planOwnManifests,
} from "../../../components/addOns/planOwnManifests";
import type { InlineManifest } from "../../../provider";
import type { KubernetesObject } from "../../../provider/kubernetes/kubernetesObject";
import { AWS_ADD_ONS } from "../../components/addOns/awsAddOns";

/** The lab's cluster, as add-ons see it. */
export const scope = {
  clusterName: "lab",
  region: "eu-central-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 1,
  recordName: "k8s.lab.example.com",
};
/** All add-ons, some with a setting. */
export const everything: KnownChoices = {
  cilium: { hubble: true, metrics: true, wireGuard: true },
  cloudController: {},
  ebsCsi: {},
  clusterAutoscaler: { extraArgs: { v: "4" }, tolerations: [{ operator: "Exists" }] },
  loadBalancerController: { resources: { requests: { cpu: "50m" } } },
  externalDns: { zoneIds: ["Z0123456789ABCDEFGHIJ"] },
  nodeTerminationHandler: {},
  servingCertificateApprover: { replicas: 2 },
  metricsServer: { replicas: 1, tolerations: [{ operator: "Exists" }] },
  auditLog: {},
  nodeProblemDetector: {},
  nvidiaDevicePlugin: { extraArgs: { "mig-strategy": "single" } },
  karpenter: {},
};
const roleArn = "arn:aws:iam::123456789012:role/lab";
const identities: AddOnIdentities = { ebsCsi: { roleArn }, cloudController: { roleArn } };
/** The manifests of all add-ons. */
export const manifests = planOwnManifests(scope, everything, identities);
/** The objects in manifests. */
export const objectsIn = (given: readonly InlineManifest[]) =>
  given.flatMap(({ name, contents }) =>
    contents
      .split("---\n")
      .map((text) => ({ manifest: name, object: parse(text) as KubernetesObject })),
  );
/** The objects of all add-ons. */
export const objects = objectsIn(manifests);

/** Each setting of an add-on's pods, other than the default. */
export const changed: ReplicatedAddOnPods = {
  version: "v1.2.3",
  replicas: 3,
  resources: {
    requests: { cpu: "0.25", memory: "1Gi", "ephemeral-storage": "1G" },
    limits: { cpu: "250m", memory: "1100M" },
  },
  extraArgs: { v: "7", list: ["a", "b"] },
  tolerations: [
    { key: "example.com/a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 },
    { key: "b", value: "c" },
    { operator: "Exists" },
  ],
};
const { replicas: _one, ...once } = changed;
/** The same with each setting of their pods changed. */
export const everythingChanged: KnownChoices = {
  cilium: changed,
  cloudController: once,
  ebsCsi: { ...changed, storageClass: false, kmsKeyArns: [] },
  clusterAutoscaler: changed,
  loadBalancerController: changed,
  externalDns: { ...once, zoneIds: ["Z1", "Z2"], policy: "sync", sources: ["ingress"] },
  nodeTerminationHandler: once,
  servingCertificateApprover: changed,
  metricsServer: changed,
  auditLog: { ...once, logGroupName: "audit/lab", retentionDays: 30 },
  nodeProblemDetector: once,
  karpenter: { ...changed, version: "v1.15.1" },
};
const allRoles: AddOnIdentities = Object.fromEntries(
  AWS_ADD_ONS.map((name) => [name, { roleArn }] as const),
);
/** The same with three control plane machines. */
export const three = { ...scope, controlPlanes: 3 };
/** Settings of the add-ons, and of their cluster. */
export const variants: readonly [string, AddOnScope, KnownChoices, AddOnIdentities][] = [
  ["by all defaults with a role each", three, everything, allRoles],
  ["with each setting changed", three, everythingChanged, {}],
  ["with each setting changed and a role each", three, everythingChanged, allRoles],
  ["of the oldest minor", { ...scope, kubernetesVersion: "v1.28.0" }, everything, allRoles],
  ["of the newest minor", { ...scope, kubernetesVersion: "v1.36.0" }, everything, {}],
];
