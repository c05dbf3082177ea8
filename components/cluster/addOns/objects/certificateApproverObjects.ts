import type { PinnedAddOn } from "../../arguments/clusterAddOnsArgs";
import { releaseFor } from "../addOnReleases";
import { accountWith, may, mayRead } from "./accessRights";
import { argumentsOf, CONFINED } from "./addOnPods";
import type { AddOnScope } from "./addOnScope";
import type { KubernetesObject } from "./kubernetesObject";
import { deploymentOf } from "./workloads";

const NAME = "kubelet-serving-cert-approver";
const SIGNER = "kubernetes.io/kubelet-serving";
const ANYWHERE = { operator: "Exists", effect: "NoSchedule" };

/**
 * The controller that approves the kubelets' serving certificates. The objects have the same names
 * as in upstream's manifest, so they can replace it in a running cluster. Several pods elect a
 * leader.
 *
 * Source: deploy/base and deploy/ha of alex1989hu/kubelet-serving-cert-approver.
 */
export function certificateApproverObjects(
  { kubernetesVersion }: Pick<AddOnScope, "kubernetesVersion">,
  addOn: PinnedAddOn,
): KubernetesObject[] {
  const labels = {
    "app.kubernetes.io/instance": NAME,
    "app.kubernetes.io/name": NAME,
  };
  const { replicas = 1 } = addOn;
  const version = addOn.version ?? releaseFor("servingCertificateApprover", kubernetesVersion);
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
          { ...ANYWHERE, key: "node-role.kubernetes.io/control-plane" },
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
            env: [
              {
                name: "NAMESPACE",
                valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } },
              },
            ],
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
