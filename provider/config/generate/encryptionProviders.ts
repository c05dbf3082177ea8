import type { SecretsBundle } from "../../pki/secretsBundle";
import type { ConfigDocument } from "../machineConfig";
import type { VersionContract } from "../releases/versionContract";

/** Names of keys in an encryption configuration of Talos, which prefix each encrypted object. */
const NAMES = { secretbox: "key2", aescbc: "key1" } as const;

/**
 * What of Kubernetes an API server encrypts in etcd, and with which keys: `resources` of an
 * encryption configuration. The first provider encrypts, all of them read.
 *
 * @param providers those of secretbox keys and of KMS, in order
 * @param aescbc the AES-CBC key of a cluster from before Talos v1.3; undefined for others
 * @param options.identity whether what was stored without encryption can be read. Default: true
 */
export function encryptedResources(
  providers: readonly ConfigDocument[],
  aescbc: string | undefined,
  { identity = true }: { readonly identity?: boolean } = {},
): ConfigDocument[] {
  const older = aescbc === undefined ? [] : [{ name: NAMES.aescbc, secret: aescbc }];
  return [
    {
      resources: ["secrets"],
      providers: [
        ...providers,
        ...older.map((key) => ({ aescbc: { keys: [key] } })),
        ...(identity ? [{ identity: {} }] : []),
      ],
    },
  ];
}

/**
 * A provider for each secretbox key. All have the name that Talos gives its only one, so Secrets of each stay
 * readable. The API server tries one after the other.
 *
 * Sources: Talos v1.12.1 and v1.14.1, `k8stemplates.APIServerEncryptionConfig`; Kubernetes v1.35,
 * `apiserver/pkg/storage/value/transformer.go` (`prefixTransformers`: overlapping prefixes).
 *
 * @param keys each 32 bytes in base64
 */
export function secretboxProviders(keys: readonly string[]): ConfigDocument[] {
  return keys.map((secret) => ({ secretbox: { keys: [{ name: NAMES.secretbox, secret }] } }));
}

/**
 * What an API server encrypts, as contracts from v1.14 on have it. A cluster that has a secretbox key alone has encrypted
 * every Secret since its first start, so nothing is read that isn't encrypted, as in Talos. One that keeps
 * the defaults of an older contract goes on reading it.
 *
 * An AES-CBC key shows that the cluster is older than Talos v1.3. Its API servers then keep what Talos
 * renders from the fields of `v1alpha1`: this key by AES-CBC, and what is not encrypted. Talos v1.14.1
 * writes it as a secretbox key (config/generate/kubernetes.go), with which they could read no Secret.
 *
 * @param providers in order. Default: the bundle's secretbox key
 */
export function encryptionResources(
  secrets: SecretsBundle["secrets"],
  { encryptedSecretsOnly }: VersionContract,
  providers = secretboxProviders(secretboxKeys(secrets)),
): ConfigDocument[] {
  const { aescbcencryptionsecret: former } = secrets;
  return encryptedResources(providers, former, {
    identity: former !== undefined || !encryptedSecretsOnly,
  });
}

/**
 * The secretbox keys of API servers, the one that encrypts first.
 *
 * @param accepted those of a rotation, the bundle's own among them. Default: none
 */
export function secretboxKeys(
  { secretboxencryptionsecret: used }: SecretsBundle["secrets"],
  accepted: readonly string[] = [],
): string[] {
  return [...(used === undefined ? [] : [used]), ...accepted.filter((key) => key !== used)];
}
