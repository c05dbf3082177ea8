import { stringify } from "yaml";
import type { SecretsBundle } from "../../pki/secretsBundle";
import type { ApiServerFiles } from "./acceptedServiceAccountKeys";
import { encryptedResources, secretboxProviders } from "./encryptionProviders";

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

/**
 * Has API servers of Talos up to v1.13 read Secrets that either of two secretbox keys encrypted. The
 * one of `cluster.secretboxEncryptionSecret` encrypts. Talos renders a configuration with that key
 * alone, so these are in two files of their own, one for each key that encrypts. Machines write files
 * while they boot, so their appearance and their end reboot them. Which of them counts is a flag.
 * Source: Talos v1.12.1, `WriteUserFiles`. From v1.14 on, a document does this: `encryptionDocument`.
 *
 * @param keys both keys, each 32 bytes in base64, the older one first
 */
export function acceptedSecretboxKeys(
  keys: readonly string[],
  { secrets }: Pick<SecretsBundle, "secrets">,
): ApiServerFiles {
  const { secretboxencryptionsecret: used, aescbcencryptionsecret: former } = secrets;
  const files = keys.map((key, index) => ({
    content: stringify({
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "EncryptionConfiguration",
      resources: encryptedResources(
        secretboxProviders([key, ...keys.filter((other) => other !== key)]),
        former,
      ),
    }),
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
