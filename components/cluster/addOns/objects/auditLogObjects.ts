import type { AuditLogAddOn } from "../../arguments/clusterAddOnsArgs";
import { releaseFor } from "../addOnReleases";
import { auditLogGroupName } from "../clusterAuditLog";
import { argumentsOf, CONFINED, controlPlanePod, type PodIdentity } from "./addOnPods";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./addOnScope";
import type { KubernetesObject } from "./kubernetesObject";
import { daemonSetOf } from "./workloads";

/** The name of all its objects and of its service account, which its IAM role trusts. */
export const AUDIT_LOG_ACCOUNT = "audit-log";

const NAME = AUDIT_LOG_ACCOUNT;
/** Where Talos has API servers write (v1.12.1 and v1.14.1, `KubernetesAuditLogDir`). */
const FOLDER = "/var/log/audit/kube";
const FILE = `${FOLDER}/kube-apiserver.log`;
/**
 * The user of API servers, who alone may read the folder (v1.12.1 and v1.14.1,
 * `KubernetesAPIServerRunUser`, `system_volumes.go`).
 */
const API_SERVER_USER = 65_534;
const POSITIONS = "/positions";

/**
 * Fluent Bit on every control plane machine, which sends what the API server there writes into its audit
 * log. It remembers how far it has come for as long as its pod exists, and begins a file from its start
 * otherwise. Its flags say all of its configuration, so a change of it is a change of the pods.
 *
 * Sources: plugins/in_tail, plugins/out_cloudwatch_logs, src/fluent-bit.c and dockerfiles/Dockerfile of
 * fluent/fluent-bit v5.1.1.
 */
export function auditLogObjects(
  scope: AddOnScope,
  addOn: AuditLogAddOn,
  identity?: PodIdentity,
): KubernetesObject[] {
  const labels = { "app.kubernetes.io/name": NAME };
  const version = addOn.version ?? releaseFor("auditLog", scope.kubernetesVersion);
  const follow = {
    path: FILE,
    db: `${POSITIONS}/audit.db`,
    read_from_head: "on",
    // A file that is renamed while CloudWatch doesn't answer is followed for a day more.
    rotate_wait: "86400",
    // Reading stops at the limit, and goes on once something is sent.
    mem_buf_limit: "64M",
    // The most that CloudWatch takes as one event. Without the last flag a longer one ends it all.
    buffer_max_size: "1M",
    truncate_long_lines: "on",
  };
  const send = {
    match: "*",
    region: scope.region,
    log_group_name: auditLogGroupName(scope, addOn),
    log_stream_name: "$(NODE_NAME)",
    // The event as the API server wrote it, in JSON.
    log_key: "log",
    auto_create_group: "off",
    // By default it gives up after one repetition.
    retry_limit: "no_limits",
  };
  const pod = controlPlanePod(
    scope,
    addOn,
    {
      serviceAccountName: NAME,
      priorityClassName: "system-node-critical",
      securityContext: {
        runAsNonRoot: true,
        runAsUser: API_SERVER_USER,
        runAsGroup: API_SERVER_USER,
        // Otherwise it can't read its token.
        fsGroup: API_SERVER_USER,
        seccompProfile: { type: "RuntimeDefault" },
      },
      // Taints that a machine gets when it is in trouble: then its log is wanted most.
      tolerations: [{ operator: "Exists" }],
      containers: [
        {
          name: "fluent-bit",
          image: `ghcr.io/fluent/fluent-bit:${version.replace(/^v/, "")}`,
          command: ["/fluent-bit/bin/fluent-bit"],
          args: [
            ...argumentsOf({ flush: "5" }, addOn),
            ...plugin("input", "tail", follow),
            ...plugin("output", "cloudwatch_logs", send),
          ],
          env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
          volumeMounts: [
            { name: "audit", mountPath: FOLDER, readOnly: true },
            { name: "positions", mountPath: POSITIONS },
          ],
          resources: addOn.resources ?? {
            requests: { cpu: "50m", memory: "64Mi" },
            limits: { memory: "256Mi" },
          },
          securityContext: CONFINED,
        },
      ],
      volumes: [
        { name: "audit", hostPath: { path: FOLDER, type: "Directory" } },
        { name: "positions", emptyDir: { sizeLimit: "64Mi" } },
      ],
    },
    identity,
  );
  return [
    // It calls nothing in Kubernetes.
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: NAME, namespace: SYSTEM_NAMESPACE, labels },
    },
    daemonSetOf({ name: NAME, labels }, { ...pod, automountServiceAccountToken: false }),
  ];
}

/** A plugin with its properties, as flags of Fluent Bit. A property belongs to the plugin before it. */
function plugin(
  kind: "input" | "output",
  name: string,
  properties: Readonly<Record<string, string>>,
): string[] {
  const given = Object.entries(properties).map(([key, value]) => `--prop=${key}=${value}`);
  return [`--${kind}=${name}`, ...given];
}
