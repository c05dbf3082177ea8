import type { KubernetesObject } from "../../provider/kubernetes";
import { accountWith, may } from "./common/accessRights";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import type { AddOnManifest } from "./common/addOnManifest";
import { CONFINED, CONTROL_PLANE, argumentsOf, fromField } from "./common/addOnPods";
import type { AddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { daemonSetOf } from "./common/workloads";

/** The argument of the AWS node termination handler. */
export interface NodeTerminationHandlerChoice {
  /**
   * The AWS node termination handler: drains a worker's node before AWS takes a spot machine away, ends a
   * machine of an auto scaling group, or stops one for maintenance. Groups then keep machines for
   * `autoScaling.drainSeconds`. It needs no permission in AWS. Default: none.
   */
  readonly nodeTerminationHandler?: boolean | NodeTerminationHandlerAddOn;
}

/**
 * The AWS node termination handler, on every worker, in the mode that watches the metadata service. So
 * it needs no queue, no rules for events and no permission, and works in a network without internet. A
 * manifest of yours must be in the host network, unless pools set `metadataHopLimit`.
 */
export interface NodeTerminationHandlerAddOn extends AddOnManifest, AddOnPods {}

const NAME = "aws-node-termination-handler";
const KARPENTER_POOL = "karpenter.sh/nodepool";
/** The port of its health check, in the network of each machine. */
const PORT = 9_811;
const USER = 1_000;
/**
 * Room for the 120 seconds that it gives a node by default, and for the time until it notices. Source:
 * pkg/config/config.go of aws/aws-node-termination-handler v1.25.6.
 */
const DRAIN_SECONDS = 180;

/** The AWS node termination handler; see `objects`. */
export const nodeTerminationHandler: AddOn<NodeTerminationHandlerAddOn> = {
  manifestName: NAME,
  charts: ["aws-node-termination-handler"],
  removal:
    "nothing drains machines any more that AWS is about to end: their pods end with them, whatever their budgets say",
  // aws/aws-node-termination-handler, README.md: 1.23 and later.
  releases: [{ oldestMinor: 23, version: "v1.25.6" }],
  objects,
  machines: "worker",
  drainSeconds: DRAIN_SECONDS,
  check: (_addOn, { pools }) => {
    const reason =
      "it drains workers, and the cluster has none: add a pool in workerPools, or leave this out";
    return pools.length === 0 ? [{ property: "", reason }] : [];
  },
};

/**
 * The AWS node termination handler, on every worker. Each pod watches the metadata service of its own
 * machine, and drains its node when AWS is about to end or to stop the machine. It is in the host
 * network, where the metadata service answers with any hop limit. It calls only Kubernetes.
 *
 * Source: README.md, pkg/config/config.go and config/helm/aws-node-termination-handler of
 * aws/aws-node-termination-handler v1.25.6.
 */
function objects(
  { runsKarpenter = false }: AddOnScope,
  addOn: KnownSettings<NodeTerminationHandlerAddOn>,
  { version }: ObjectParts,
): KubernetesObject[] {
  const labels = { "app.kubernetes.io/name": NAME };
  const flags = {
    "node-name": "$(NODE_NAME)",
    "enable-spot-interruption-draining": "true",
    "enable-scheduled-event-draining": "true",
    // The state that a group's lifecycle hook gives a machine that it ends.
    "enable-asg-lifecycle-draining": "true",
    "enable-probes-server": "true",
    "probes-server-port": `${PORT}`,
  };
  return [
    ...accountWith({
      name: NAME,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: [
        may(["get", "list", "patch", "update"], "", ["nodes"]),
        may(["get", "list"], "", ["pods"]),
        may(["create"], "", ["pods/eviction"]),
        may(["get"], "apps", ["daemonsets"]),
      ],
    }),
    daemonSetOf(
      { name: NAME, labels },
      {
        hostNetwork: true,
        dnsPolicy: "Default",
        nodeSelector: { "kubernetes.io/os": "linux" },
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              // Only `pulumi up` drains control plane machines, because it also asks etcd.
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    { key: CONTROL_PLANE, operator: "DoesNotExist" },
                    // Karpenter knows by its queue what happens to its machines, and launches others first.
                    ...(runsKarpenter ? [{ key: KARPENTER_POOL, operator: "DoesNotExist" }] : []),
                  ],
                },
              ],
            },
          },
        },
        serviceAccountName: NAME,
        priorityClassName: "system-node-critical",
        tolerations: [{ operator: "Exists" }, ...(addOn.tolerations ?? [])],
        securityContext: { fsGroup: USER, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            name: NAME,
            image: `public.ecr.aws/aws-ec2/${NAME}:${version}`,
            args: argumentsOf(flags, addOn),
            env: [
              fromField("NODE_NAME", "spec.nodeName"),
              fromField("POD_NAME", "metadata.name"),
              fromField("NAMESPACE", "metadata.namespace"),
            ],
            ports: [{ name: "healthz", containerPort: PORT }],
            livenessProbe: {
              httpGet: { path: "/healthz", port: "healthz" },
              initialDelaySeconds: 5,
            },
            resources: addOn.resources ?? {
              requests: { cpu: "10m", memory: "64Mi" },
              limits: { memory: "128Mi" },
            },
            securityContext: {
              ...CONFINED,
              runAsNonRoot: true,
              runAsUser: USER,
              runAsGroup: USER,
            },
          },
        ],
      },
      "10%",
    ),
  ];
}
