import type { ConfigDocument } from "../machineConfig";

/** Names of keys in an encryption configuration of Talos, which prefix each encrypted object. */
const NAMES = { secretbox: "key2", aescbc: "key1" } as const;

/**
 * What of Kubernetes an API server encrypts in etcd, and with which keys: `resources` of an
 * encryption configuration. The first key encrypts, all of them read. All secretbox keys have the
 * name that Talos gives its only one, so Secrets of each stay readable. The API server tries one
 * after the other.
 *
 * Sources: Talos v1.12.1 and v1.14.1, `k8stemplates.APIServerEncryptionConfig`; Kubernetes v1.35,
 * `apiserver/pkg/storage/value/transformer.go` (`prefixTransformers`: overlapping prefixes).
 *
 * @param keys secretbox keys, each 32 bytes in base64; the first one encrypts
 * @param aescbc the AES-CBC key of a cluster from before Talos v1.3; undefined for others
 */
export function encryptedResources(
  keys: readonly string[],
  aescbc: string | undefined,
): ConfigDocument[] {
  const older = aescbc === undefined ? [] : [{ name: NAMES.aescbc, secret: aescbc }];
  return [
    {
      resources: ["secrets"],
      providers: [
        ...keys.map((secret) => ({ secretbox: { keys: [{ name: NAMES.secretbox, secret }] } })),
        ...older.map((key) => ({ aescbc: { keys: [key] } })),
        { identity: {} },
      ],
    },
  ];
}
