import { stringify } from "yaml";
import type { SecretsBundle } from "../../pki/secretsBundle";
import type { ApiServerFiles } from "./acceptedServiceAccountKeys";

/**
 * The folder of API servers' audit logs: the only one on a machine that the user of the API server
 * can enter and others can't. Talos mounts it into the API server.
 *
 * Source: Talos v1.12.1, `volumeconfig/system_volumes.go` (`KubernetesAuditLogDir`: mode 0700),
 * `k8s/control_plane_static_pod.go`.
 */
const FOLDER = "/var/log/audit/kube";

/**
 * The name of the flag a second time, with "_": see `ACCEPTED_KEYS_FLAG`. The last one counts, and
 * Talos sorts them.
 */
export const ENCRYPTION_FLAG = "encryption_provider_config";

/**
 * Talos writes files as root, and gives the folder's files to its user only while the folder has
 * another owner (v1.12.1, `block/mount.go`). Without this permission, an API server of a machine
 * that has booted before could not read its keys. The folder keeps out all other users.
 */
const READABLE = 0o644;

/** Names of keys in an encryption configuration of Talos, which prefix each encrypted object. */
const NAMES = { secretbox: "key2", aescbc: "key1" } as const;

/**
 * Has API servers read Secrets that either of two secretbox keys encrypted. The one of
 * `cluster.secretboxEncryptionSecret` encrypts. Talos renders a configuration with that key alone,
 * so these are in two files of their own, one for each key that encrypts. Machines write files while
 * they boot, so their appearance and their end reboot them. Which of them counts is a flag.
 *
 * Both keys have the name that Talos gives its key. The API server tries one after the other.
 *
 * Sources: Talos v1.12.1, `k8stemplates.APIServerEncryptionConfig`, `WriteUserFiles`; Kubernetes
 * v1.35, `apiserver/pkg/storage/value/transformer.go` (`prefixTransformers`: overlapping prefixes).
 * Talos v1.14 has `KubeEtcdEncryptionConfig` for this.
 *
 * @param keys both keys, each 32 bytes in base64, the older one first
 */
export function acceptedSecretboxKeys(
  keys: readonly string[],
  { secrets }: Pick<SecretsBundle, "secrets">,
): ApiServerFiles {
  const { secretboxencryptionsecret: used, aescbcencryptionsecret: former } = secrets;
  const files = keys.map((key, index) => ({
    content: encryptionConfiguration([key, ...keys.filter((other) => other !== key)], former),
    permissions: READABLE,
    path: fileOf(index),
    op: "create",
  }));
  return {
    files,
    apiServer: { extraArgs: { [ENCRYPTION_FLAG]: fileOf(keys.indexOf(used ?? "")) } },
  };
}

/** The name of the file in which the older or the newer key encrypts. */
function fileOf(index: number): string {
  return `${FOLDER}/encryption-${index === 0 ? "older" : "newer"}.yaml`;
}

/** @param keys secretbox keys; the first one encrypts */
function encryptionConfiguration(keys: readonly string[], aescbc: string | undefined): string {
  const secretbox = keys.map((secret) => ({
    secretbox: { keys: [{ name: NAMES.secretbox, secret }] },
  }));
  const older = aescbc === undefined ? [] : [{ name: NAMES.aescbc, secret: aescbc }];
  return stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    resources: [
      {
        resources: ["secrets"],
        providers: [
          ...secretbox,
          ...older.map((key) => ({ aescbc: { keys: [key] } })),
          { identity: {} },
        ],
      },
    ],
  });
}
