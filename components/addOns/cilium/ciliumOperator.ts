import type { KubernetesObject } from "../../../provider/kubernetes";
import { type Container, CONTROL_PLANE_PLACE, replicasOf } from "../common/addOnPods";
import { deploymentOf } from "../common/workloads";
import { OPERATOR } from "./ciliumAccess";
import { CONFIG_MAP, METRICS_PORTS, OPERATOR_HEALTH_PORT } from "./ciliumConfig";
import {
  checksum,
  type CiliumWorkload,
  environment,
  hostPod,
  mounted,
  onePerMachine,
  port,
  SETTINGS_FOLDER,
} from "./ciliumPods";

/**
 * The operator, on control plane machines.
 *
 * Source: `templates/cilium-operator/deployment.yaml` of the chart of Cilium v1.20.2.
 */
export function ciliumOperator({
  scope,
  addOn,
  version,
  settings,
  labels,
}: CiliumWorkload): KubernetesObject {
  const podLabels = { "io.cilium/app": "operator", name: OPERATOR };
  const healthy = (fields: object) => ({
    httpGet: { host: "127.0.0.1", path: "/healthz", port: OPERATOR_HEALTH_PORT },
    timeoutSeconds: 3,
    ...fields,
  });
  const container: Container = {
    name: OPERATOR,
    image: `quay.io/cilium/operator-generic:${version}`,
    command: ["cilium-operator-generic"],
    args: [`--config-dir=${SETTINGS_FOLDER}`],
    env: environment(addOn),
    ports: [
      port("health", OPERATOR_HEALTH_PORT),
      ...(addOn.metrics === true ? [port("prometheus", METRICS_PORTS.operator)] : []),
    ],
    livenessProbe: healthy({ initialDelaySeconds: 60, periodSeconds: 10 }),
    readinessProbe: healthy({ periodSeconds: 5, failureThreshold: 5 }),
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    volumeMounts: [{ ...mounted("cilium-config", SETTINGS_FOLDER), readOnly: true }],
  };
  return deploymentOf(
    { name: OPERATOR, labels, podLabels, podAnnotations: checksum(settings) },
    {
      replicas: replicasOf(scope, addOn, 2),
      // Two can't be on one machine, so an update stops one first.
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    },
    {
      ...hostPod(OPERATOR),
      ...CONTROL_PLANE_PLACE,
      tolerations: [
        ...CONTROL_PLANE_PLACE.tolerations,
        // No node is ready before it has worked.
        { key: "node.kubernetes.io/not-ready", operator: "Exists" },
        { key: "node.cilium.io/agent-not-ready", operator: "Exists" },
        ...(addOn.tolerations ?? []),
      ],
      affinity: onePerMachine(podLabels),
      securityContext: { seccompProfile: { type: "RuntimeDefault" } },
      containers: [container],
      volumes: [{ name: "cilium-config", configMap: { name: CONFIG_MAP } }],
    },
  );
}
