import type { KubernetesObject } from "../../provider/kubernetes";
import { accountWith, may } from "./common/accessRights";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import type { AddOnManifest } from "./common/addOnManifest";
import { argumentsOf, fromField } from "./common/addOnPods";
import type { AddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { daemonSetOf } from "./common/workloads";

/** The argument of the node problem detector. */
export interface NodeProblemDetectorChoice {
  /**
   * The node problem detector: reads each machine's kernel log, and tells Kubernetes of a file system that
   * became read-only, of hung tasks, and of processes that ended for lack of memory. Lasting problems are
   * conditions of the node, others are events. It changes nothing else, and calls only Kubernetes.
   * Default: none.
   */
  readonly nodeProblemDetector?: boolean | NodeProblemDetectorAddOn;
}

/**
 * The node problem detector, on every machine. Its container is privileged, because no other may read the
 * kernel's log.
 */
export interface NodeProblemDetectorAddOn extends AddOnManifest, AddOnPods {}

const NAME = "node-problem-detector";
const KERNEL_LOG = "/dev/kmsg";

/** The node problem detector; see `objects`. */
export const nodeProblemDetector: AddOn<NodeProblemDetectorAddOn> = {
  manifestName: NAME,
  charts: ["node-problem-detector"],
  removal:
    "the conditions that it has set stay on the nodes as they are, and nobody tells of new problems",
  // kubernetes/node-problem-detector. It uses nodes and events of v1 alone, which every minor has.
  releases: [{ oldestMinor: 21, version: "v1.36.0" }],
  objects,
};

/**
 * The node problem detector, with the configurations of its image for the kernel's log. Talos has neither
 * systemd nor Docker, so it watches nothing else. It waits five minutes for an API server, and ends.
 *
 * Source: deployment/node-problem-detector.yaml, Dockerfile, config/kernel-monitor.json and
 * cmd/options/options.go of kubernetes/node-problem-detector. Its rights are those of the role
 * `system:node-problem-detector` (Kubernetes v1.37.2, bootstrappolicy/policy.go).
 */
function objects(
  _scope: AddOnScope,
  addOn: KnownSettings<NodeProblemDetectorAddOn>,
  { version }: ObjectParts,
): KubernetesObject[] {
  const labels = { "app.kubernetes.io/name": NAME };
  const report = ["create", "patch", "update"];
  const flags = {
    "config.system-log-monitor": "/config/kernel-monitor.json,/config/readonly-monitor.json",
  };
  return [
    ...accountWith({
      name: NAME,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: [
        may(["get"], "", ["nodes"]),
        may(["patch"], "", ["nodes/status"]),
        may(report, "", ["events"]),
        may(report, "events.k8s.io", ["events"]),
      ],
    }),
    daemonSetOf(
      { name: NAME, labels },
      {
        nodeSelector: { "kubernetes.io/os": "linux" },
        serviceAccountName: NAME,
        priorityClassName: "system-node-critical",
        tolerations: [{ operator: "Exists" }, ...(addOn.tolerations ?? [])],
        containers: [
          {
            name: NAME,
            image: `registry.k8s.io/node-problem-detector/node-problem-detector:${version}`,
            command: ["/node-problem-detector"],
            args: argumentsOf(flags, addOn),
            env: [fromField("NODE_NAME", "spec.nodeName")],
            resources: addOn.resources ?? {
              requests: { cpu: "10m", memory: "80Mi" },
              limits: { memory: "80Mi" },
            },
            // A device of the machine is open to privileged containers alone.
            securityContext: { privileged: true, readOnlyRootFilesystem: true },
            volumeMounts: [{ name: "kernel-log", mountPath: KERNEL_LOG, readOnly: true }],
          },
        ],
        volumes: [{ name: "kernel-log", hostPath: { path: KERNEL_LOG, type: "CharDevice" } }],
      },
      "10%",
    ),
  ];
}
