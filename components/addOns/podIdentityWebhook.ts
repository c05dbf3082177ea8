import type { KubernetesObject } from "../../provider/kubernetes";
import { accountWith, mayRead } from "./common/accessRights";
import type { AddOn, AddOnServer, KnownSettings, ObjectParts } from "./common/addOn";
import {
  argumentsOf,
  AS_NOBODY,
  CONFINED,
  CONTROL_PLANE_PLACE,
  replicasOf,
} from "./common/addOnPods";
import type { ReplicatedAddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { deploymentOf } from "./common/workloads";

const NAME = "pod-identity-webhook";
const PORT = 8_443;
const PREFIX = "eks.amazonaws.com";
const CERTIFICATE = `${NAME}-tls`;

/** The pod identity webhook, which the argument `irsa` brings instead of one of `addOns`; see `objects`. */
export const podIdentityWebhook: AddOn<ReplicatedAddOnPods> & { readonly server: AddOnServer } = {
  manifestName: NAME,
  removal: "new pods get no credentials of their roles: give those that call AWS others first",
  // aws/amazon-eks-pod-identity-webhook, go.mod and admission API v1beta1: any minor.
  releases: [{ oldestMinor: 21, version: "v0.6.17" }],
  objects,
  isReplicated: true,
  // API servers call it.
  server: { host: `${NAME}.${SYSTEM_NAMESPACE}.svc`, secretName: CERTIFICATE },
};

/**
 * The webhook that adds a role's token to pods whose service account has the role's annotation. It
 * is in the pod network, on control planes. While it doesn't answer, pods start without a token.
 *
 * Source: deploy/ and main.go of aws/amazon-eks-pod-identity-webhook v0.6.17.
 */
function objects(
  scope: AddOnScope,
  addOn: KnownSettings<ReplicatedAddOnPods>,
  { version, certificates }: ObjectParts,
): KubernetesObject[] {
  const labels = { app: NAME };
  const metadata = { name: NAME, namespace: SYSTEM_NAMESPACE, labels };
  const flags = {
    "in-cluster": "false",
    namespace: SYSTEM_NAMESPACE,
    "service-name": NAME,
    "annotation-prefix": PREFIX,
    "token-audience": "sts.amazonaws.com",
    "aws-default-region": scope.region,
    "sts-regional-endpoint": "true",
    port: `${PORT}`,
  };
  const { tolerations, ...place } = CONTROL_PLANE_PLACE;
  return [
    ...accountWith({
      name: NAME,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: [mayRead("", "serviceaccounts")],
    }),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { selector: labels, ports: [{ name: "https", port: 443, targetPort: "https" }] },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name: NAME, labels },
      webhooks: [
        {
          name: `${NAME}.amazonaws.com`,
          failurePolicy: "Ignore",
          sideEffects: "None",
          admissionReviewVersions: ["v1beta1"],
          clientConfig: {
            service: { name: NAME, namespace: SYSTEM_NAMESPACE, path: "/mutate", port: 443 },
            caBundle: certificates,
          },
          objectSelector: {
            matchExpressions: [{ key: `${PREFIX}/skip-${NAME}`, operator: "DoesNotExist" }],
          },
          rules: [
            { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
          ],
        },
      ],
    },
    deploymentOf(
      metadata,
      { replicas: replicasOf(scope, addOn, 2) },
      {
        ...place,
        tolerations: [...tolerations, ...(addOn.tolerations ?? [])],
        serviceAccountName: NAME,
        securityContext: AS_NOBODY,
        containers: [
          {
            name: NAME,
            image: `public.ecr.aws/eks/amazon-eks-pod-identity-webhook:${version}`,
            command: ["/webhook"],
            args: argumentsOf(flags, addOn),
            ports: [{ name: "https", containerPort: PORT }],
            readinessProbe: {
              httpGet: { path: "/healthz", port: "https", scheme: "HTTPS" },
              periodSeconds: 10,
            },
            resources: addOn.resources ?? { requests: { cpu: "10m", memory: "64Mi" } },
            securityContext: CONFINED,
            volumeMounts: [
              { name: "certificate", mountPath: "/etc/webhook/certs", readOnly: true },
            ],
          },
        ],
        volumes: [{ name: "certificate", secret: { secretName: CERTIFICATE } }],
      },
    ),
  ];
}
