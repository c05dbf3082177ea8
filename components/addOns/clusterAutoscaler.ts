import type { KubernetesObject } from "../../provider/kubernetes";
import { accountWith, may, mayLead, mayRead } from "./common/accessRights";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import { checkNodeIds } from "./common/addOnCluster";
import type { AddOnManifest } from "./common/addOnManifest";
import { argumentsOf, AS_NOBODY, CONFINED, controlPlanePod, replicasOf } from "./common/addOnPods";
import type { ReplicatedAddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { controlPlaneDeployment } from "./common/workloads";

/** The argument of the cluster autoscaler. */
export interface ClusterAutoscalerChoice {
  /**
   * The cluster autoscaler: adds machines to pools with `autoScaling` for pods that do not fit, and
   * removes idle ones. Refused without the cloud controller. Default: none.
   */
  readonly clusterAutoscaler?: boolean | ClusterAutoscalerAddOn;
}

/**
 * The cluster autoscaler. A manifest of yours must place it on control plane machines, in the host
 * network, because only those may resize groups.
 */
export interface ClusterAutoscalerAddOn extends AddOnManifest, ReplicatedAddOnPods {}

/** The name of all its objects and of its service account, which its IAM role trusts. */
const NAME = "cluster-autoscaler";
const PORT = 8_085;

/** The cluster autoscaler; see `objects`. */
export const clusterAutoscaler: AddOn<ClusterAutoscalerAddOn> = {
  manifestName: NAME,
  charts: ["cluster-autoscaler"],
  removal:
    "its groups keep the sizes that they have: nothing adds machines for pods that wait, or ends idle ones",
  // kubernetes/autoscaler, cluster-autoscaler/README.md: the same minor as Kubernetes. A release for
  // 1.37 was not known in August 2026, so 1.37 has that of 1.36.
  releases: [
    { oldestMinor: 36, version: "v1.36.1" },
    { oldestMinor: 35, version: "v1.35.2" },
    { oldestMinor: 34, version: "v1.34.5" },
    { oldestMinor: 33, version: "v1.33.6" },
    { oldestMinor: 32, version: "v1.32.7" },
    { oldestMinor: 31, version: "v1.31.5" },
    { oldestMinor: 30, version: "v1.30.7" },
    { oldestMinor: 29, version: "v1.29.5" },
    { oldestMinor: 28, version: "v1.28.7" },
  ],
  isReleasedWithKubernetes: true,
  objects,
  isReplicated: true,
  machines: "controlPlane",
  aws: {
    permissions: () => ({ clusterAutoscaler: true }),
    identity: { account: NAME, roleName: NAME },
    services: ["autoscaling", "ec2"],
  },
  check: (_addOn, cluster) =>
    checkNodeIds(cluster, "ends every machine after 15 minutes whose node has none"),
};

/**
 * The cluster autoscaler. It finds its groups by the tags of auto scaling pools. A pool has one
 * group per zone; the autoscaler keeps their sizes similar.
 *
 * Source: cluster-autoscaler/cloudprovider/aws/README.md and
 * examples/cluster-autoscaler-autodiscover.yaml there, of kubernetes/autoscaler.
 */
function objects(
  scope: AddOnScope,
  addOn: KnownSettings<ClusterAutoscalerAddOn>,
  { version, identity }: ObjectParts,
): KubernetesObject[] {
  const labels = { "k8s-app": NAME };
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
