import { stringify } from "yaml";
import { CONFINED, CONTROL_PLANE } from "../common/addOnPods";
import type { ClusterBackup } from "./clusterBackup";

/** The namespace of the snapshot job. It should contain nothing else. */
export const ETCD_BACKUP_NAMESPACE = "etcd-backup";
/** The role of the Talos API that allows only snapshots of etcd. */
export const ETCD_BACKUP_ROLE = "os:etcd:backup" as const;

const NAME = "etcd-backup";
/**
 * The folder where Talos' client finds its credentials in a pod (machinery v1.12.1, constants/constants.go).
 */
const CREDENTIALS_FOLDER = "/var/run/secrets/talos.dev";

/**
 * The manifest of etcd snapshots: a namespace, a Talos service account, and a CronJob.
 *
 * Talos writes a certificate for the role into the service account's Secret. It is valid for six
 * hours, and Talos renews it (v1.12.1, kubeaccess/serviceaccount/crd_controller.go). The pod is in
 * the host network, where the metadata service answers with any hop limit. So other pods need no
 * access to it. The namespace permits that (Pod Security's `privileged`), but the container has no
 * privilege.
 *
 * The variables of talos-backup: README.md, pkg/config/service.go and cronjob.sample.yaml of
 * github.com/siderolabs/talos-backup. v0.1.0-beta.3 takes the keys in both variables, and fails if
 * only one of them is empty. Talos' client creates a folder in `HOME`.
 * @param region the bucket's region
 */
export function planEtcdBackupManifest(backup: ClusterBackup, region: string): string {
  const labels = { "app.kubernetes.io/name": "talos-backup" };
  const metadata = { name: NAME, namespace: ETCD_BACKUP_NAMESPACE, labels };
  return [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name: ETCD_BACKUP_NAMESPACE,
        labels: { ...labels, "pod-security.kubernetes.io/enforce": "privileged" },
      },
    },
    {
      apiVersion: "talos.dev/v1alpha1",
      kind: "ServiceAccount",
      metadata,
      spec: { roles: [ETCD_BACKUP_ROLE] },
    },
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata,
      spec: {
        schedule: backup.schedule,
        timeZone: "Etc/UTC",
        concurrencyPolicy: "Forbid",
        startingDeadlineSeconds: 600,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 3,
        jobTemplate: {
          spec: {
            backoffLimit: 2,
            activeDeadlineSeconds: 1_800,
            template: { metadata: { labels }, spec: podOf(backup, region) },
          },
        },
      },
    },
  ]
    .map((object) => stringify(object))
    .join("---\n");
}

function podOf(backup: ClusterBackup, region: string) {
  return {
    restartPolicy: "Never",
    hostNetwork: true,
    // The pod finds the Talos API by the name of its service.
    dnsPolicy: "ClusterFirstWithHostNet",
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    nodeSelector: { [CONTROL_PLANE]: "" },
    tolerations: [{ key: CONTROL_PLANE, operator: "Exists", effect: "NoSchedule" }],
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1_000,
      runAsGroup: 1_000,
      fsGroup: 1_000,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "talos-backup",
        image: backup.image,
        command: ["/talos-backup"],
        // It writes the snapshot into its working folder before the upload.
        workingDir: "/tmp",
        env: Object.entries(environmentOf(backup, region)).map(([name, value]) => ({
          name,
          value,
        })),
        resources: {
          requests: { cpu: "50m", memory: "128Mi" },
          limits: { memory: "512Mi" },
        },
        securityContext: CONFINED,
        volumeMounts: [
          { name: "tmp", mountPath: "/tmp" },
          { name: "credentials", mountPath: CREDENTIALS_FOLDER, readOnly: true },
        ],
      },
    ],
    volumes: [
      { name: "tmp", emptyDir: {} },
      { name: "credentials", secret: { secretName: NAME } },
    ],
  };
}

function environmentOf({ bucketName, folder, agePublicKey }: ClusterBackup, region: string) {
  return {
    HOME: "/tmp",
    TALOSCONFIG: `${CREDENTIALS_FOLDER}/config`,
    AWS_REGION: region,
    BUCKET: bucketName,
    CLUSTER_NAME: folder,
    S3_PREFIX: folder,
    ...(agePublicKey === "none"
      ? { DISABLE_ENCRYPTION: "true" }
      : { AGE_X25519_PUBLIC_KEY: agePublicKey, AGE_RECIPIENT_PUBLIC_KEY: agePublicKey }),
  };
}
