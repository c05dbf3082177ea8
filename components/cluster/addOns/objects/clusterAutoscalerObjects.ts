import type { ClusterAutoscalerAddOn } from "../../arguments/clusterAddOnsArgs";
import { releaseFor } from "../addOnReleases";
import { accountWith, may, mayLead, mayRead } from "./accessRights";
import {
  argumentsOf,
  AS_NOBODY,
  CONFINED,
  controlPlanePod,
  type PodIdentity,
  replicasOf,
} from "./addOnPods";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./addOnScope";
import type { KubernetesObject } from "./kubernetesObject";
import { controlPlaneDeployment } from "./workloads";

/** The name of all its objects and of its service account, which its IAM role trusts. */
export const CLUSTER_AUTOSCALER_ACCOUNT = "cluster-autoscaler";

const NAME = CLUSTER_AUTOSCALER_ACCOUNT;
const PORT = 8_085;

/**
 * The cluster autoscaler. It finds its groups by the tags of auto scaling pools. A pool has one
 * group per zone; the autoscaler keeps their sizes similar.
 *
 * Source: cluster-autoscaler/cloudprovider/aws/README.md and
 * examples/cluster-autoscaler-autodiscover.yaml there, of kubernetes/autoscaler.
 */
export function clusterAutoscalerObjects(
  scope: AddOnScope,
  addOn: ClusterAutoscalerAddOn,
  identity?: PodIdentity,
): KubernetesObject[] {
  const labels = { "k8s-app": NAME };
  const version = addOn.version ?? releaseFor("clusterAutoscaler", scope.kubernetesVersion);
  const tags = ["enabled", scope.clusterName].map((tag) => `k8s.io/${NAME}/${tag}`);
  const flags = {
    v: "2",
    "cloud-provider": "aws",
    address: `:${PORT}`,
    "node-group-auto-discovery": `asg:tag=${tags.join(",")}`,
    "balance-similar-node-groups": "true",
    expander: "least-waste",
    "skip-nodes-with-local-storage": "false",
  };
  const pod = controlPlanePod(
    scope,
    addOn,
    {
      serviceAccountName: NAME,
      securityContext: AS_NOBODY,
      containers: [
        {
          name: NAME,
          image: `registry.k8s.io/autoscaling/cluster-autoscaler:${version}`,
          command: ["./cluster-autoscaler"],
          args: argumentsOf(flags, addOn),
          ports: [{ name: "http", containerPort: PORT }],
          livenessProbe: { httpGet: { path: "/health-check", port: "http" }, failureThreshold: 5 },
          resources: addOn.resources ?? {
            requests: { cpu: "100m", memory: "600Mi" },
            limits: { memory: "600Mi" },
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
      everywhere: [
        may(["create", "patch"], "", ["events", "endpoints"]),
        may(["create"], "", ["pods/eviction"]),
        may(["update"], "", ["pods/status"]),
        may(["get", "update"], "", ["endpoints"], [NAME]),
        may(["get", "list", "watch", "update"], "", ["nodes"]),
        mayRead("", "namespaces", "pods", "services", "replicationcontrollers"),
        mayRead("", "persistentvolumeclaims", "persistentvolumes"),
        mayRead("policy", "poddisruptionbudgets"),
        mayRead("apps", "statefulsets", "replicasets", "daemonsets"),
        mayRead("resource.k8s.io", "deviceclasses", "resourceslices", "resourceclaims"),
        mayRead("storage.k8s.io", "storageclasses", "csinodes", "csidrivers"),
        mayRead("storage.k8s.io", "csistoragecapacities", "volumeattachments"),
        may(["get", "list", "watch", "patch"], "batch", ["jobs"]),
      ],
      inNamespace: [
        ...mayLead(NAME),
        may(["create", "list", "watch"], "", ["configmaps"]),
        may(
          ["delete", "get", "update", "watch"],
          "",
          ["configmaps"],
          [`${NAME}-status`, `${NAME}-priority-expander`],
        ),
      ],
    }),
    controlPlaneDeployment({ name: NAME, labels }, replicasOf(scope, addOn, 1), pod),
  ];
}
