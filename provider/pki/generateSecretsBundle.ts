import { createCertificateAuthority } from "./certificateAuthority";
import { createServiceAccountKey, type KeyType } from "./privateKey";
import { randomInteger, systemRandomBytes, type RandomBytes } from "./randomBytes";
import type { SecretsBundle } from "./secretsBundle";

/** How long the authorities of a bundle are valid, as Talos v1.12.1 has it: ten years of 365 days. */
const authorityLifetimeMs = 87_600 * 3_600_000;

/**
 * Makes the secrets of a new cluster, as `talosctl gen secrets` v1.12.1 does.
 *
 * Takes about a second, nearly all of it for the RSA key, off the main thread. `now` (default: the
 * clock) is when the authorities begin to be valid, to the second and not set back, so a machine
 * whose clock is behind refuses them until it has caught up. `randomBytes` (default: the system's
 * random source) determines tokens, ids and every key but the RSA one; of the certificates it
 * determines the Ed25519 one wholly and the P-256 ones up to their signatures.
 */
export async function generateSecretsBundle(
  options: { now?: Date; randomBytes?: RandomBytes } = {},
): Promise<SecretsBundle> {
  const randomBytes = options.randomBytes ?? systemRandomBytes;
  const notBefore = options.now ?? new Date();
  const notAfter = new Date(notBefore.getTime() + authorityLifetimeMs);
  const authority = (keyType: KeyType, organization?: string) =>
    createCertificateAuthority({
      keyType,
      notBefore,
      notAfter,
      randomBytes,
      ...(organization === undefined ? {} : { organization }),
    });

  const cluster = {
    id: toBase64(randomBytes(32)).replaceAll("+", "-").replaceAll("/", "_"),
    secret: toBase64(randomBytes(32)),
  };
  const secrets = {
    bootstraptoken: createToken(randomBytes),
    secretboxencryptionsecret: toBase64(randomBytes(32)),
  };
  const trustdinfo = { token: createToken(randomBytes) };
  const [etcd, k8s, k8saggregator, serviceAccountKey, os] = await Promise.all([
    authority("p256", "etcd"),
    authority("p256", "kubernetes"),
    authority("p256"),
    createServiceAccountKey(),
    authority("ed25519", "talos"),
  ]);
  return {
    cluster,
    secrets,
    trustdinfo,
    certs: { etcd, k8s, k8saggregator, k8sserviceaccount: { key: serviceAccountKey }, os },
  };
}

/** A token in kubeadm's form: a public id of 6 characters and a secret of 16, of `0-9a-z`. */
function createToken(randomBytes: RandomBytes): string {
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
