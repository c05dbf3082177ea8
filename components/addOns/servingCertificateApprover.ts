import * as pulumi from "@pulumi/pulumi";
import type { KubernetesObject } from "../../provider/kubernetes";
import { accountWith, may, mayRead } from "./common/accessRights";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import type { PinnedAddOn } from "./common/addOnManifest";
import { CONFINED, CONTROL_PLANE, argumentsOf, fromField } from "./common/addOnPods";
import type { AddOnScope } from "./common/addOnScope";
import { deploymentOf } from "./common/workloads";

/** The argument of the approver of serving certificates. */
export interface ServingCertificateApproverChoice {
  /**
   * The cluster's CA signs each kubelet's serving certificate, and an approver approves the
   * requests. With false, kubelets use self-signed certificates, also with `metricsServer`. With
   * `true`, machines fetch upstream's manifest. Default: on with `metricsServer`, which trusts no
   * other certificates.
   */
  readonly servingCertificateApprover?: boolean | PinnedAddOn;
}

const NAME = "kubelet-serving-cert-approver";
const SIGNER = "kubernetes.io/kubelet-serving";
const ANYWHERE = { operator: "Exists", effect: "NoSchedule" };

/** The approver of the kubelets' serving certificates; see `objects`. */
export const servingCertificateApprover: AddOn<PinnedAddOn> = {
  manifestName: NAME,
  charts: ["kubelet-csr-approver"],
  removal:
    "kubelets serve certificates again that they have signed themselves, which metrics-server and others refuse unless they verify none",
  // alex1989hu/kubelet-serving-cert-approver speaks an API that is stable since 1.22. Its README lists
  // every minor since then; v0.12.0 is tested with 1.36 (release notes).
  releases: [{ oldestMinor: 22, version: "v0.12.0" }],
  // Talos' guide "Deploy the Metrics Server" names it, without a version.
  publishedManifest: (version) =>
    `https://raw.githubusercontent.com/alex1989hu/kubelet-serving-cert-approver/${version}/deploy/standalone-install.yaml`,
  objects,
  nodeOptions: (_addOn, { kubeletExtraArgs }) => ({
    kubeletExtraArgs: pulumi
      .output(kubeletExtraArgs)
      .apply((more) => ({ "rotate-server-certificates": "true", ...more })),
  }),
};

/**
 * The controller that approves the kubelets' serving certificates. The objects have the same names
 * as in upstream's manifest, so they can replace it in a running cluster. Several pods elect a
 * leader.
 *
 * Source: deploy/base and deploy/ha of alex1989hu/kubelet-serving-cert-approver.
 */
function objects(
  _scope: AddOnScope,
  addOn: KnownSettings<PinnedAddOn>,
  { version }: ObjectParts,
): KubernetesObject[] {
  const labels = {
    "app.kubernetes.io/instance": NAME,
    "app.kubernetes.io/name": NAME,
  };
  const { replicas = 1 } = addOn;
  const metadata = { name: NAME, namespace: NAME, labels };
  const flags = replicas > 1 ? { "enable-leader-election": "true" } : {};
  const restricted = ["audit", "enforce", "warn"].map((mode) => [
    `pod-security.kubernetes.io/${mode}`,
    "restricted",
  ]);
  const probe = (path: string, initialDelaySeconds: number) => ({
    httpGet: { path, port: "health" },
    initialDelaySeconds,
  });
  return [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name: NAME,
        labels: { ...labels, ...(Object.fromEntries(restricted) as Record<string, string>) },
      },
    },
    ...accountWith({
      name: NAME,
      namespace: NAME,
      labels,
      clusterRole: `certificates:${NAME}`,
      everywhere: [
        mayRead("certificates.k8s.io", "certificatesigningrequests"),
        may(["update"], "certificates.k8s.io", ["certificatesigningrequests/approval"]),
        may(["approve"], "certificates.k8s.io", ["signers"], [SIGNER]),
        may(["create"], "authorization.k8s.io", ["subjectaccessreviews"]),
        may(["create", "patch"], "", ["events"]),
      ],
      inNamespace: [
        may(["create", "get", "list", "watch", "update", "patch"], "coordination.k8s.io", [
          "leases",
        ]),
      ],
    }),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: {
        selector: labels,
        ports: [{ name: "metrics", port: 9_090, protocol: "TCP", targetPort: "metrics" }],
      },
    },
    deploymentOf(
      metadata,
      { replicas },
      {
        serviceAccountName: NAME,
        priorityClassName: "system-cluster-critical",
        tolerations: [
          { ...ANYWHERE, key: "node.cloudprovider.kubernetes.io/uninitialized" },
          { ...ANYWHERE, key: CONTROL_PLANE },
          ...(addOn.tolerations ?? []),
        ],
        securityContext: {
          runAsUser: 65_534,
          runAsGroup: 65_534,
          fsGroup: 65_534,
          seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
          {
            name: "cert-approver",
            image: `ghcr.io/alex1989hu/kubelet-serving-cert-approver:${version.replace(/^v/, "")}`,
            args: ["serve", ...argumentsOf(flags, addOn)],
            env: [fromField("NAMESPACE", "metadata.namespace")],
            ports: [
              { name: "health", containerPort: 8_080 },
              { name: "metrics", containerPort: 9_090 },
            ],
            livenessProbe: probe("/healthz", 6),
            readinessProbe: probe("/readyz", 3),
            resources: addOn.resources ?? {
              requests: { cpu: "10m", memory: "16Mi" },
              limits: { cpu: "250m", memory: "32Mi" },
            },
            securityContext: { ...CONFINED, privileged: false, runAsNonRoot: true },
          },
        ],
      },
    ),
  ];
}
