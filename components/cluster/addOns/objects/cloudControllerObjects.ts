import type { CloudControllerAddOn } from "../../arguments/clusterAddOnsArgs";
import { releaseFor } from "../addOnReleases";
import { accountWith, may, mayRead } from "./accessRights";
import { argumentsOf, controlPlanePod, type PodIdentity } from "./addOnPods";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./addOnScope";
import type { KubernetesObject } from "./kubernetesObject";
import { daemonSetOf } from "./workloads";

const NAME = "aws-cloud-controller-manager";
/** Namespace and name of the service account, which its IAM role trusts. */
export const CLOUD_CONTROLLER_ACCOUNT = "cloud-controller-manager";

/**
 * The AWS cloud controller, on every control plane machine; its pods elect a leader. It tolerates
 * nodes that aren't ready, because other pods wait for it. Routes for pods are left to the pod
 * network. Its controllers share its account, so it may not make tokens of service accounts, which
 * upstream's rules allow for `--use-service-account-credentials`.
 *
 * Source: charts/aws-cloud-controller-manager and docs/prerequisites.md of
 * kubernetes/cloud-provider-aws.
 */
export function cloudControllerObjects(
  scope: AddOnScope,
  addOn: CloudControllerAddOn,
  identity?: PodIdentity,
): KubernetesObject[] {
  const labels = { "k8s-app": NAME };
  const version = addOn.version ?? releaseFor("cloudController", scope.kubernetesVersion);
  const flags = {
    v: "2",
    "cloud-provider": "aws",
    "cluster-name": scope.clusterName,
    "allocate-node-cidrs": "false",
    "configure-cloud-routes": "false",
  };
  const pod = controlPlanePod(
    scope,
    addOn,
    {
      serviceAccountName: CLOUD_CONTROLLER_ACCOUNT,
      priorityClassName: "system-node-critical",
      tolerations: [
        { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoSchedule" },
      ],
      containers: [
        {
          name: NAME,
          image: `registry.k8s.io/provider-aws/cloud-controller-manager:${version}`,
          args: argumentsOf(flags, addOn),
          resources: addOn.resources ?? { requests: { cpu: "200m" } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
    },
    identity,
  );
  return [
    ...accountWith({
      name: CLOUD_CONTROLLER_ACCOUNT,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: [
        may(["create", "patch", "update"], "", ["events"]),
        may(["*"], "", ["nodes"]),
        may(["patch"], "", ["nodes/status"]),
        may(["list", "patch", "update", "watch"], "", ["services", "services/status"]),
        may(["get", "list", "update", "watch"], "", ["persistentvolumes"]),
        may(["create", "get", "list", "watch", "update"], "", ["endpoints"]),
        may(["create", "get", "list", "watch", "update"], "coordination.k8s.io", ["leases"]),
        may(["create"], "authentication.k8s.io", ["tokenreviews"]),
        may(["create"], "authorization.k8s.io", ["subjectaccessreviews"]),
        mayRead("discovery.k8s.io", "endpointslices"),
      ],
      readsApiAuthentication: true,
    }),
    daemonSetOf({ name: NAME, labels }, pod),
  ];
}
