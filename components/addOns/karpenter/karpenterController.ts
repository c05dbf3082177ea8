import type { KubernetesObject } from "../../../provider/kubernetes";
import { KUBERNETES_API_PORT } from "../../firewall/planFirewallRules";
import { accountWith, may, mayLead, mayRead } from "../common/accessRights";
import type { KnownSettings, ObjectParts } from "../common/addOn";
import { argumentsOf, AS_NOBODY, CONFINED, controlPlanePod, replicasOf } from "../common/addOnPods";
import { type AddOnScope, SYSTEM_NAMESPACE } from "../common/addOnScope";
import { controlPlaneDeployment } from "../common/workloads";
import type { KarpenterAddOn } from "./karpenterAddOn";

/** The name of all its objects and of its service account, which its IAM role trusts. */
export const NAME = "karpenter";

/** Ports in the network of its machine that nothing of Talos or of other add-ons listens on. */
const METRICS_PORT = 8_086;
const HEALTH_PORT = 8_087;
const LEASE = "karpenter-leader-election";

/**
 * Karpenter's controller on control plane machines: not on its own, which it would end. It calls AWS with its own role. Of
 * two, one works and the other waits.
 *
 * Source: `pkg/operator/options` and `charts/karpenter` of aws/karpenter-provider-aws v1.15.2;
 * `pkg/operator/options` of sigs.k8s.io/karpenter v1.15.0.
 */
export function karpenterController(
  scope: AddOnScope,
  addOn: KnownSettings<KarpenterAddOn>,
  { version, identity, queueName }: ObjectParts & { readonly queueName: string },
): KubernetesObject[] {
  const labels = { "app.kubernetes.io/name": NAME };
  const flags = {
    "cluster-name": scope.clusterName,
    // Talos' machines have it in their configuration; without it, Karpenter would ask EKS.
    "cluster-endpoint": `https://${scope.recordName}:${KUBERNETES_API_PORT}`,
    "interruption-queue": queueName,
    "metrics-port": `${METRICS_PORT}`,
    "health-probe-port": `${HEALTH_PORT}`,
    "leader-election-namespace": SYSTEM_NAMESPACE,
    // Without internet it can't ask for prices, and goes by those that it was built with.
    ...(scope.isIsolated === true && { "isolated-vpc": "true" }),
  };
  const pod = controlPlanePod(
    scope,
    addOn,
    {
      serviceAccountName: NAME,
      securityContext: AS_NOBODY,
      containers: [
        {
          name: "controller",
          image: `public.ecr.aws/karpenter/controller:${version.replace(/^v/, "")}`,
          args: argumentsOf(flags, addOn),
          ports: [
            { name: "http-metrics", containerPort: METRICS_PORT },
            { name: "http", containerPort: HEALTH_PORT },
          ],
          livenessProbe: {
            httpGet: { path: "/healthz", port: "http" },
            initialDelaySeconds: 30,
            timeoutSeconds: 30,
          },
          readinessProbe: {
            httpGet: { path: "/readyz", port: "http" },
            initialDelaySeconds: 5,
            timeoutSeconds: 30,
          },
          resources: addOn.resources ?? {
            requests: { cpu: "100m", memory: "512Mi" },
            limits: { memory: "1Gi" },
          },
          securityContext: CONFINED,
        },
      ],
    },
    identity,
  );
  return [
    ...accountWith({
      name: NAME,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: [...READS, ...WRITES],
      inNamespace: [
        ...mayLead(LEASE),
        may(["get", "list", "watch"], "coordination.k8s.io", ["leases"]),
        may(["get"], "", ["services"], ["kube-dns"]),
      ],
    }),
    controlPlaneDeployment({ name: NAME, labels }, replicasOf(scope, addOn, 2), pod),
  ];
}

/** What it reads in the cluster. There are no Secrets in it. */
const READS = [
  mayRead("karpenter.sh", "nodepools", "nodepools/status", "nodeclaims", "nodeclaims/status"),
  mayRead("karpenter.sh", "nodeoverlays", "nodeoverlays/status"),
  mayRead("karpenter.k8s.aws", "ec2nodeclasses"),
  mayRead("", "pods", "nodes", "namespaces", "events", "podtemplates"),
  mayRead("", "persistentvolumes", "persistentvolumeclaims", "replicationcontrollers"),
  mayRead("storage.k8s.io", "storageclasses", "csinodes", "volumeattachments"),
  mayRead("apps", "daemonsets", "deployments", "replicasets", "statefulsets"),
  mayRead("policy", "poddisruptionbudgets"),
  mayRead("resource.k8s.io", "deviceclasses", "resourceclaims", "resourceslices"),
];

const WRITES = [
  may(["create", "delete", "update", "patch"], "karpenter.sh", ["nodeclaims", "nodeclaims/status"]),
  may(["update", "patch"], "karpenter.sh", [
    "nodepools",
    "nodepools/status",
    "nodeoverlays/status",
  ]),
  may(["update", "patch"], "karpenter.k8s.aws", ["ec2nodeclasses", "ec2nodeclasses/status"]),
  may(["create", "patch"], "", ["events"]),
  may(["update", "patch", "delete"], "", ["nodes"]),
  may(["delete"], "", ["pods"]),
  may(["create"], "", ["pods/eviction"]),
];
