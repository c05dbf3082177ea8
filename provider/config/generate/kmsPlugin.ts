import { createHash } from "node:crypto";
import type { ConfigDocument } from "../machineConfig";

/**
 * The folder of the plugin's socket: the one of API servers' audit logs. Its owner is the user of the API server,
 * others can't enter it, and Talos mounts it into the API server, as the only one of the machine that is writable there.
 * It exists before the kubelet starts. Sources: Talos v1.14.1, `volumeconfig/system_volumes.go`, `k8stemplates.APIServerPod`,
 * `services/kubelet.go`.
 */
const FOLDER = "/var/log/audit/kube";

/**
 * The user of the API server. The plugin must be the same: only its socket's owner may connect. Source: Talos v1.14.1,
 * `constants.KubernetesAPIServerRunUser`; tried on kube-apiserver v1.35.0 and v1.37.2.
 */
const USER_ID = 65_534;

/** The port for a plugin's health, on an address of the machine's loopback that no other plugin has. */
const HEALTH_PORT = 8_083;

/** How long an API server waits for an answer of the plugin, which asks KMS. */
const TIMEOUT = "3s";

/**
 * The name of a key's provider in an encryption configuration. Each Secret that the key encrypts begins with it,
 * so it follows from the key: another key has another name.
 */
export function kmsProviderName(keyArn: string): string {
  return `aws-${hashOf(keyArn).toString("hex").slice(0, 12)}`;
}

/**
 * The provider of a key in an encryption configuration. By version 2 of the plugins' API, an API server asks KMS
 * when it starts, and then for the plugin's health. Source: kubernetes.io, "Using a KMS provider for data
 * encryption".
 */
export function kmsProvider(keyArn: string): ConfigDocument {
  const name = kmsProviderName(keyArn);
  return {
    kms: { apiVersion: "v2", name, endpoint: `unix://${socketOf(name)}`, timeout: TIMEOUT },
  };
}

/** What a plugin's pod is made of. */
export interface KmsPlugin {
  readonly keyArn: string;
  readonly pluginImage: string;
}

/**
 * The plugin of a key as a static pod, one for each key: a plugin with several has one health for all. It runs before
 * there is a pod network, so in the machine's own, from where it reaches the metadata service for the machine's role.
 */
export function kmsPluginPod({ keyArn, pluginImage }: KmsPlugin): {
  readonly name: string;
  readonly pod: ConfigDocument;
} {
  const provider = kmsProviderName(keyArn);
  const name = `kms-plugin-${provider}`;
  const host = loopbackOf(keyArn);
  const [, , , region = ""] = keyArn.split(":");
  return {
    name,
    pod: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "kube-system", labels: { "k8s-app": "kms-plugin" } },
      spec: {
        hostNetwork: true,
        priorityClassName: "system-node-critical",
        securityContext: {
          runAsUser: USER_ID,
          runAsGroup: USER_ID,
          runAsNonRoot: true,
          seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
          {
            name: "plugin",
            image: pluginImage,
            command: ["/aws-encryption-provider"],
            args: [
              `--key=${keyArn}`,
              `--region=${region}`,
              `--listen=${socketOf(provider)}`,
              `--health-port=${host}:${HEALTH_PORT}`,
              "--health-kms-version=v2",
            ],
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ["ALL"] },
              readOnlyRootFilesystem: true,
            },
            resources: { requests: { cpu: "10m", memory: "32Mi" } },
            // Its own health pages fail while KMS refuses: a restart would help nothing then.
            livenessProbe: { tcpSocket: { host, port: HEALTH_PORT }, initialDelaySeconds: 10 },
            volumeMounts: [{ name: "socket", mountPath: FOLDER }],
          },
        ],
        // The kubelet's container doesn't see the folder, so it can't check a type.
        volumes: [{ name: "socket", hostPath: { path: FOLDER } }],
      },
    },
  };
}

/**
 * The address of a key's plugin, which follows from the key: a plugin whose pod changed because another one
 * comes or goes would be away while API servers start, and two could want one port.
 */
function loopbackOf(keyArn: string): string {
  const [first = 0, second = 0, third = 0] = hashOf(keyArn).map((byte) => (byte % 254) + 1);
  return `127.${first}.${second}.${third}`;
}

function hashOf(keyArn: string): Buffer {
  return createHash("sha256").update(keyArn).digest();
}

function socketOf(provider: string): string {
  return `${FOLDER}/${provider}.sock`;
}
