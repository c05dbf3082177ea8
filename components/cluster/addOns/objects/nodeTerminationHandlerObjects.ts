import type { NodeTerminationHandlerAddOn } from "../../arguments/clusterAddOnsArgs";
import { releaseFor } from "../addOnReleases";
import { accountWith, may } from "./accessRights";
import { argumentsOf, CONFINED } from "./addOnPods";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./addOnScope";
import type { KubernetesObject } from "./kubernetesObject";
import { daemonSetOf } from "./workloads";

const NAME = "aws-node-termination-handler";
const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
/** The port of its health check, in the network of each machine. */
const PORT = 9_811;
const USER = 1_000;

/**
 * The AWS node termination handler, on every worker. Each pod watches the metadata service of its own
 * machine, and drains its node when AWS is about to end or to stop the machine. It is in the host
 * network, where the metadata service answers with any hop limit. It calls only Kubernetes.
 *
 * Source: README.md, pkg/config/config.go and config/helm/aws-node-termination-handler of
 * aws/aws-node-termination-handler v1.25.6.
 */
export function nodeTerminationHandlerObjects(
  { kubernetesVersion }: Pick<AddOnScope, "kubernetesVersion">,
  addOn: NodeTerminationHandlerAddOn,
): KubernetesObject[] {
  const labels = { "app.kubernetes.io/name": NAME };
  const version = addOn.version ?? releaseFor("nodeTerminationHandler", kubernetesVersion);
  const flags = {
    "node-name": "$(NODE_NAME)",
    "enable-spot-interruption-draining": "true",
    "enable-scheduled-event-draining": "true",
    // The state that a group's lifecycle hook gives a machine that it ends.
    "enable-asg-lifecycle-draining": "true",
    "enable-probes-server": "true",
    "probes-server-port": `${PORT}`,
  };
  const field = (name: string, fieldPath: string) => ({
    name,
    valueFrom: { fieldRef: { fieldPath } },
  });
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
                { matchExpressions: [{ key: CONTROL_PLANE, operator: "DoesNotExist" }] },
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
              field("NODE_NAME", "spec.nodeName"),
              field("POD_NAME", "metadata.name"),
              field("NAMESPACE", "metadata.namespace"),
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
