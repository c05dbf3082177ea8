import { stringify } from "yaml";
import type { ClusterBackup } from "./clusterBackup";

/** The namespace that the snapshots are made in; nothing else should be. */
export const ETCD_BACKUP_NAMESPACE = "etcd-backup";
/** The role of the Talos API that gives snapshots of etcd and nothing else. */
export const ETCD_BACKUP_ROLE = "os:etcd:backup" as const;

const NAME = "etcd-backup";
/** Where Talos' client looks for what it logs in with, in pods (machinery v1.12.1, constants.go). */
const CREDENTIALS_FOLDER = "/var/run/secrets/talos.dev";
const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

/**
 * What makes the snapshots, for Kubernetes: a namespace, a service account of Talos', and a CronJob.
 *
 * Talos writes a certificate of six hours for the role into a Secret of the service account's name and
 * renews it (v1.12.1, kubeaccess/serviceaccount/crd_controller.go). The pod is in its machine's network,
 * where the metadata service answers whatever the hop limit is, so that other pods need not reach it; the
 * namespace permits that (Pod Security's `privileged`), while the container itself has no right beyond a
 * common process'.
 *
 * What talos-backup reads: README.md, pkg/config/service.go and cronjob.sample.yaml of
 * github.com/siderolabs/talos-backup. v0.1.0-beta.3 takes the keys in both variables, and fails when one
 * is empty while the other isn't. `HOME` is where Talos' client would make a folder.
 *
 * @param region where the bucket is
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
    // The Talos API is called by the name of its service.
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
        // It writes the snapshot into its working folder before it sends it.
        workingDir: "/tmp",
        env: Object.entries(environmentOf(backup, region)).map(([name, value]) => ({
          name,
          value,
        })),
        resources: {
          requests: { cpu: "50m", memory: "128Mi" },
          limits: { memory: "512Mi" },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
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
