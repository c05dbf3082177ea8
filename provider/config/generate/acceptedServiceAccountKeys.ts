import { createPublicKey } from "node:crypto";
import { readPrivateKey } from "../../pki/pem";
import type { ConfigDocument } from "../machineConfig";

/** Files that API servers read besides Talos' own, and the fields that have them read. */
export interface ApiServerFiles {
  /** Items of `machine.files`. */
  readonly files: ConfigDocument[];
  /** Fields of `cluster.apiServer`. */
  readonly apiServer: ConfigDocument;
}

/** The folder of the file, on the machine and in the API server. */
const FOLDER = "/var/etc/talos-aws";

/** The file with the public keys. */
const ACCEPTED_KEYS_FILE = `${FOLDER}/service-account.pub`;

/**
 * The name of the flag a second time, with "_": Talos takes one value per name and denies its own
 * ones, and the API server reads "_" as "-". It accepts the keys of all files.
 *
 * Sources: Talos v1.12.1, `k8s/control_plane_static_pod.go` (`MergeDenied`); Kubernetes v1.35,
 * `component-base/cli/flag` (`WordSepNormalizeFunc`) and `pkg/kubeapiserver/options`
 * (`service-account-key-file` may be given several times, each file may hold several keys).
 */
export const ACCEPTED_KEYS_FLAG = "service_account_key_file";

/**
 * Has API servers of Talos up to v1.13 accept the tokens of further service account keys, besides
 * those of the key that signs. Talos writes only the public key of `cluster.serviceAccount.key`, so
 * these are in a file of their own. Machines write such files while they boot (`WriteUserFiles` in
 * Talos v1.12.1), so its appearance and its end reboot them. Its text is the same whichever of the
 * keys signs. From v1.14 on, a document does this: `serviceAccountDocument`.
 *
 * @param keys public keys in PEM, in base64
 */
export function acceptedServiceAccountKeys(keys: readonly string[]): ApiServerFiles {
  const content = keys.map((key) => Buffer.from(key, "base64").toString("utf8")).join("");
  return {
    // Readable for the user of the API server. Public keys are no secret.
    files: [{ content, permissions: 0o644, path: ACCEPTED_KEYS_FILE, op: "create" }],
    apiServer: {
      extraArgs: { [ACCEPTED_KEYS_FLAG]: ACCEPTED_KEYS_FILE },
      extraVolumes: [{ hostPath: FOLDER, mountPath: FOLDER, readonly: true }],
    },
  };
}

/** The public key of a service account key, both base64 of PEM. */
export function publicServiceAccountKey(key: string): string {
  const pem = createPublicKey(readPrivateKey(key)).export({ type: "spki", format: "pem" });
  return Buffer.from(pem).toString("base64");
}
