import type { KubernetesObject } from "../../provider/kubernetes";
import { problemAt } from "../argumentChecks";
import type { PropertyProblem } from "../problems";
import { accountWith, may, mayRead } from "./common/accessRights";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import type { AddOnManifest } from "./common/addOnManifest";
import { argumentsOf, controlPlanePod } from "./common/addOnPods";
import type { AddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { daemonSetOf } from "./common/workloads";

/** The argument of the AWS cloud controller. */
export interface CloudControllerChoice {
  /**
   * The AWS cloud controller: services of type `LoadBalancer`, nodes with their zone and type, and
   * no node without a machine. Control planes get the permissions. Nodes wait for the controller
   * and are named by their full host names: in a running cluster, each becomes another Kubernetes
   * node. Default: none.
   */
  readonly cloudController?: boolean | CloudControllerAddOn;
}

/** The AWS cloud controller. It runs on every control plane machine. */
export interface CloudControllerAddOn extends AddOnManifest, AddOnPods {}

const NAME = "aws-cloud-controller-manager";
/** The service account, which its IAM role trusts. */
const ACCOUNT = "cloud-controller-manager";
const FLAG = "use-service-account-credentials";

/** The AWS cloud controller; see `objects`. */
export const cloudController: AddOn<CloudControllerAddOn> = {
  manifestName: "aws-cloud-controller",
  charts: ["aws-cloud-controller-manager"],
  removal:
    "nothing updates or deletes the load balancers of Services any more, and AWS bills them: delete the Services of type LoadBalancer first. New nodes get no providerID",
  delivery: "machineConfiguration",
  // kubernetes/cloud-provider-aws has a release for each minor, by the same number. v1.36.2 and
  // v1.37.1 are in the Go module proxy.
  releases: [
    { oldestMinor: 37, version: "v1.37.1" },
    { oldestMinor: 36, version: "v1.36.2" },
    { oldestMinor: 35, version: "v1.35.2" },
    { oldestMinor: 34, version: "v1.34.3" },
    { oldestMinor: 33, version: "v1.33.4" },
    { oldestMinor: 32, version: "v1.32.8" },
    { oldestMinor: 31, version: "v1.31.9" },
    { oldestMinor: 30, version: "v1.30.10" },
    { oldestMinor: 29, version: "v1.29.10" },
    { oldestMinor: 28, version: "v1.28.11" },
  ],
  isReleasedWithKubernetes: true,
  objects,
  machines: "controlPlane",
  hasOwnManifestField: true,
  aws: {
    permissions: () => ({ cloudController: true }),
    identity: { account: ACCOUNT, roleName: "cloud-controller" },
    services: ["ec2", "elasticloadbalancing"],
  },
  check: (addOn, { announcesCloudController }) => [
    ...checkFlag(addOn),
    ...problemAt(
      "",
      announcesCloudController &&
        "it excludes machineConfiguration.externalCloudProvider: leave out one or the other",
    ),
  ],
  nodeOptions: ({ manifestUrls }, { registerWithFqdn }) => ({
    externalCloudProvider: manifestUrls === undefined ? {} : { manifests: [...manifestUrls] },
    registerWithFqdn: registerWithFqdn ?? true,
  }),
};

/**
 * Problems of the cloud controller's flags: with this one, it makes tokens of service accounts for each
 * of its controllers. Kubernetes has no such right for some accounts alone, so its own account could
 * be any other. Source: k8s.io/cloud-provider v0.36.3, options/options.go.
 */
function checkFlag({ extraArgs }: CloudControllerAddOn): PropertyProblem[] {
  const value = extraArgs?.[FLAG];
  if (value === undefined || value === "false") {
    return [];
  }
  const reason = `"${String(value)}" has the controller make tokens of other service accounts, and this package's own objects don't let it, as it could then be any account: leave this out, or give a manifest of yours`;
  return [{ property: `extraArgs["${FLAG}"]`, reason }];
}

/**
 * The AWS cloud controller, on every control plane machine; its pods elect a leader. It tolerates
 * nodes that aren't ready, because other pods wait for it. Routes for pods are left to the pod
 * network. Its controllers share its account, so it may not make tokens of service accounts, which
 * upstream's rules allow for `--use-service-account-credentials`.
 *
 * Source: charts/aws-cloud-controller-manager and docs/prerequisites.md of
 * kubernetes/cloud-provider-aws.
 */
function objects(
  scope: AddOnScope,
  addOn: KnownSettings<CloudControllerAddOn>,
  { version, identity }: ObjectParts,
): KubernetesObject[] {
  const labels = { "k8s-app": NAME };
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
      serviceAccountName: ACCOUNT,
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
      name: ACCOUNT,
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
