import type { KubernetesObject } from "../../provider/kubernetes";
import { checkLogGroup, type LogGroupArgs, makeLogGroup } from "../logs/logGroup";
import { logGroupNameProblem } from "../permissions/planAuditLog";
import type { PropertyProblem } from "../problems";
import type { AddOn, KnownSettings, MadeWith, ObjectParts } from "./common/addOn";
import type { AddOnManifest } from "./common/addOnManifest";
import { CONFINED, argumentsOf, controlPlanePod, fromField } from "./common/addOnPods";
import type { AddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { daemonSetOf } from "./common/workloads";

/** The argument of the audit log. */
export interface AuditLogChoice {
  /**
   * Sends the API servers' audit log to CloudWatch, event by event: who did what in Kubernetes stays known
   * after a machine is gone, or in the hands of somebody else. A log group is created. Its writers can add
   * records, and neither read nor delete them. About $0.50 per GB of events, and $0.03 per GB and
   * month that is kept (list prices in us-east-1, November 2026). Default: none.
   */
  readonly auditLog?: boolean | AuditLogAddOn;
}

/**
 * Fluent Bit on each control plane machine, which follows the file of the API server there. It sends each
 * event at least once: a pod that is replaced sends the file's events again, which `auditID` tells apart.
 * It keeps trying while CloudWatch doesn't answer, and Talos keeps the last eleven files of 100 MB.
 *
 * What an API server records is up to its audit policy. Talos' default is each call without its content.
 * A manifest of yours must place it on control plane machines, in the host network, because only those have
 * its permissions.
 */
export interface AuditLogAddOn extends AddOnManifest, AddOnPods, LogGroupArgs {
  /**
   * Name of the log group. A change creates another group, and deletes this one with its records.
   * Default: `/talos/<name of the Kubernetes API in DNS>/audit`.
   */
  readonly logGroupName?: string;
  /**
   * The log group is there and stays as it is. Exclusive with `retentionDays` and `kmsKeyArn`. Default:
   * false, it is created.
   */
  readonly adopt?: boolean;
}

/** The name of all its objects and of its service account, which its IAM role trusts. */
const NAME = "audit-log";
/** Where Talos has API servers write (v1.12.1 and v1.14.1, `KubernetesAuditLogDir`). */
const FOLDER = "/var/log/audit/kube";
const FILE = `${FOLDER}/kube-apiserver.log`;
/**
 * The user of API servers, who alone may read the folder (v1.12.1 and v1.14.1,
 * `KubernetesAPIServerRunUser`, `system_volumes.go`).
 */
const API_SERVER_USER = 65_534;
const POSITIONS = "/positions";

/** The audit log of the API servers in CloudWatch; see `objects`. */
export const auditLog: AddOn<AuditLogAddOn> = {
  manifestName: NAME,
  removal:
    'the log group that it made is deleted with all its records, and what API servers record stays on the machines alone. To keep the records, take the group out of the state before, with "pulumi state delete"',
  // fluent/fluent-bit. It calls no API of Kubernetes; v5.1.1 was the newest in August 2026.
  releases: [{ oldestMinor: 21, version: "v5.1.1" }],
  objects,
  machines: "controlPlane",
  aws: {
    permissions: (addOn, { recordName }) => ({ auditLogGroupName: groupName(addOn, recordName) }),
    identity: { account: NAME, roleName: NAME },
    services: ["logs"],
  },
  check,
  make,
};

/** A cluster's name in DNS is its own. */
function groupName({ logGroupName }: Pick<AuditLogAddOn, "logGroupName">, recordName: string) {
  return logGroupName ?? `/talos/${recordName}/audit`;
}

function check(addOn: AuditLogAddOn): PropertyProblem[] {
  const { logGroupName, retentionDays, kmsKeyArn, adopt = false } = addOn;
  const badName = logGroupName === undefined ? undefined : logGroupNameProblem(logGroupName);
  const excluded = Object.entries({ retentionDays, kmsKeyArn }).filter(
    ([, value]) => adopt && value !== undefined,
  );
  return [
    ...(badName === undefined ? [] : [{ property: "logGroupName", reason: badName }]),
    ...checkLogGroup(addOn),
    ...excluded.map(([property]) => ({
      property,
      reason: "it excludes adopt, as a log group that is there stays as it is: leave out one",
    })),
    ...(adopt && logGroupName === undefined
      ? [{ property: "adopt", reason: "it names no log group that is there: give logGroupName" }]
      : []),
  ];
}

/** Creates the log group. A protected cluster's records are protected too. */
function make(addOn: AuditLogAddOn, made: MadeWith): void {
  if (addOn.adopt === true) {
    return;
  }
  const { name, cluster, protect = false, tags = {}, parent } = made;
  const logGroupName = groupName(addOn, cluster.recordName);
  makeLogGroup(`${name}-audit-log`, addOn, { logGroupName, tags, protect, parent });
}

/**
 * Fluent Bit on every control plane machine, which sends what the API server there writes into its audit
 * log. It remembers how far it has come for as long as its pod exists, and begins a file from its start
 * otherwise. Its flags say all of its configuration, so a change of it is a change of the pods.
 *
 * Sources: plugins/in_tail, plugins/out_cloudwatch_logs, src/fluent-bit.c and dockerfiles/Dockerfile of
 * fluent/fluent-bit v5.1.1.
 */
function objects(
  scope: AddOnScope,
  addOn: KnownSettings<AuditLogAddOn>,
  { version, identity }: ObjectParts,
): KubernetesObject[] {
  const labels = { "app.kubernetes.io/name": NAME };
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
    log_group_name: groupName(addOn, scope.recordName),
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
          env: [fromField("NODE_NAME", "spec.nodeName")],
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
