import { randomBytes, randomInt } from "node:crypto";
import { versionContracts, versionContract } from "../config/releases/versionContract";
import { createServiceAccountKey } from "./privateKey";
import { generateAuthority } from "./rotation/generateAuthority";
import type { SecretsBundle } from "./secretsBundle";

/** Options of a new cluster's secrets. */
export interface SecretsBundleOptions {
  /**
   * The dialect of the cluster's configuration. Up to `v1.2`, etcd's Kubernetes secrets are
   * encrypted with AES-CBC instead of secretbox. Up to `v1.6`, service account tokens are signed
   * with ECDSA instead of RSA. Default: the newest.
   */
  readonly versionContract?: string;
  /**
   * When the CAs become valid, to the second and without a backdate. A machine whose clock is
   * behind refuses them until then. Default: now.
   */
  readonly now?: Date;
}

/**
 * Creates the secrets of a new cluster, as `talosctl gen secrets` v1.12.1 and v1.13.9 do.
 *
 * It takes about a second, mostly for the RSA key, off the main thread.
 *
 * @throws ConfigError for an unknown version contract
 */
export async function generateSecretsBundle(
  options: SecretsBundleOptions = {},
): Promise<SecretsBundle> {
  const contract = versionContract(options.versionContract ?? versionContracts.at(-1) ?? "");
  const now = options.now ?? new Date();
  const cluster = createIdentity();
  const bootstraptoken = createToken();
  const encryptionSecret = randomBytes(32).toString("base64");
  const secrets = contract.secretbox
    ? { bootstraptoken, secretboxencryptionsecret: encryptionSecret }
    : { bootstraptoken, aescbcencryptionsecret: encryptionSecret };
  const trustdinfo = { token: createToken() };
  const keyType = contract.rsaServiceAccountKey ? "rsa4096" : "p256";
  const [etcd, k8s, k8saggregator, key, os] = await Promise.all([
    generateAuthority("etcdCa", { now }),
    generateAuthority("kubernetesCa", { now }),
    generateAuthority("aggregatorCa", { now }),
    createServiceAccountKey(keyType),
    generateAuthority("talosCa", { now }),
  ]);
  const certs = { etcd, k8s, k8saggregator, k8sserviceaccount: { key }, os };
  return { cluster, secrets, trustdinfo, certs };
}

/** An identity at the discovery service: an id in URL-safe base64, a secret in standard base64. */
export function createIdentity(): SecretsBundle["cluster"] {
  return {
    id: randomBytes(32).toString("base64").replaceAll("+", "-").replaceAll("/", "_"),
    secret: randomBytes(32).toString("base64"),
  };
}

/** A token in kubeadm's form: a public id of 6 characters and a secret of 16, of `0-9a-z`. */
export function createToken(): string {
  return `${randomCharacters(6)}.${randomCharacters(16)}`;
}

function randomCharacters(count: number): string {
  return Array.from({ length: count }, () => randomInt(36).toString(36)).join("");
}
