import { supportedVersionContracts, versionContract } from "../config/versionContract";
import { createCertificateAuthority } from "./certificateAuthority";
import type { KeyType } from "./privateKey";
import { randomInteger, systemRandomBytes, type RandomBytes } from "./randomBytes";
import type { SecretsBundle } from "./secretsBundle";
import { createServiceAccountKey } from "./serviceAccountKey";

/** The lifetime of a bundle's CAs, as in Talos v1.12.1: ten years of 365 days. */
export const AUTHORITY_LIFETIME_MS = 87_600 * 3_600_000;

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
  /** Determines the whole bundle, byte for byte. Default: the system's random source. */
  readonly randomBytes?: RandomBytes;
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
  const contract = versionContract(
    options.versionContract ?? supportedVersionContracts.at(-1) ?? "",
  );
  const randomBytes = options.randomBytes ?? systemRandomBytes;
  const notBefore = options.now ?? new Date();
  const notAfter = new Date(notBefore.getTime() + AUTHORITY_LIFETIME_MS);
  const injected = options.randomBytes === undefined ? {} : { randomBytes };
  const authority = (keyType: KeyType, organization?: string) =>
    createCertificateAuthority({
      keyType,
      notBefore,
      notAfter,
      ...injected,
      ...(organization === undefined ? {} : { organization }),
    });

  const cluster = {
    id: toBase64(randomBytes(32)).replaceAll("+", "-").replaceAll("/", "_"),
    secret: toBase64(randomBytes(32)),
  };
  const bootstraptoken = createToken(randomBytes);
  const encryptionSecret = toBase64(randomBytes(32));
  const secrets = contract.secretbox
    ? { bootstraptoken, secretboxencryptionsecret: encryptionSecret }
    : { bootstraptoken, aescbcencryptionsecret: encryptionSecret };
  const trustdinfo = { token: createToken(randomBytes) };
  const keyType = contract.rsaServiceAccountKey ? "rsa4096" : "p256";
  // One after the other, so that each gets the same bytes of an injected source.
  const etcd = await authority("p256", "etcd");
  const k8s = await authority("p256", "kubernetes");
  const k8saggregator = await authority("p256");
  const key = await createServiceAccountKey(keyType, options.randomBytes);
  const os = await authority("ed25519", "talos");
  const certs = { etcd, k8s, k8saggregator, k8sserviceaccount: { key }, os };
  return { cluster, secrets, trustdinfo, certs };
}

/** A token in kubeadm's form: a public id of 6 characters and a secret of 16, of `0-9a-z`. */
export function createToken(randomBytes: RandomBytes): string {
  return `${randomCharacters(6, randomBytes)}.${randomCharacters(16, randomBytes)}`;
}

function randomCharacters(count: number, randomBytes: RandomBytes): string {
  return randomInteger(36n ** BigInt(count), randomBytes)
    .toString(36)
    .padStart(count, "0");
}

/** Standard base64 with padding. */
function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
