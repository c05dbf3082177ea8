import { type InputProblem, inputProblems } from "../inputProblem";
import type { Path } from "../path";
import type { Gapped } from "./mapping";
import { quoteUrl } from "./quoteUrl";

/**
 * A key that opens an encrypted volume; exactly one of the members is set. Each key of a volume
 * opens it on its own, so the weakest decides how safe it is.
 */
export interface EncryptionKey {
  /**
   * Made from the machine's UUID: protects a disk that is taken out of its machine, not from who
   * can read the instance's metadata. Costs and needs nothing.
   */
  readonly nodeId?: Readonly<Record<string, never>> | undefined;
  /** Sealed by a server that implements Talos' protocol for it, which machines ask at each boot. */
  readonly kms?: {
    /** `https://kms.example.com:4050`; `grpc://` is without TLS. */
    readonly endpoint: string;
  };
  /** Sealed by the TPM of the machine: on AWS, NitroTPM, which the AMI has to ask for. */
  readonly tpm?: {
    /** Whether to make a key only if SecureBoot is on. Default: false. */
    readonly checkSecurebootStatusOnEnroll?: boolean | undefined;
  };
  /** Known to whoever reads the machine configuration. Secret. */
  readonly static?: { readonly passphrase: string } | undefined;
}

const kinds = ["nodeId", "kms", "tpm", "static"] as const;

/** What is wrong with the keys of a volume. Never tells a passphrase. */
export function checkEncryptionKeys(
  path: Path,
  keys: readonly EncryptionKey[] | undefined,
): InputProblem[] {
  if (keys?.length === 0) {
    return inputProblems(path, "is empty: a volume without a key can't be opened");
  }
  return (keys ?? []).flatMap((key, index) => [
    ...inputProblems([...path, index], checkKind(key)),
    ...inputProblems([...path, index, "kms", "endpoint"], checkKms(key)),
    ...inputProblems(
      [...path, index, "static", "passphrase"],
      key.static?.passphrase === "" ? "is empty: anyone could open the volume" : undefined,
    ),
  ]);
}

function checkKind(key: EncryptionKey): string | undefined {
  const given = kinds.filter((kind) => key[kind] !== undefined);
  if (given.length === 1) {
    return undefined;
  }
  return given.length === 0
    ? `is of no kind: set one of ${kinds.join(", ")}`
    : `is of several kinds, ${given.join(" and ")}: make a key of each`;
}

function checkKms({ kms }: EncryptionKey): string | undefined {
  return kms === undefined || /^(?:https|grpc):\/\/[^/?#@]+\/?$/.test(kms.endpoint)
    ? undefined
    : `${quoteUrl(kms.endpoint)} is not the endpoint of a KMS: write it like "https://kms.example.com:4050"`;
}

/** The keys as Talos has them, each in the slot of its place in the list. */
export function encryptionFields(keys: readonly EncryptionKey[] | undefined): Gapped {
  return (
    keys && {
      provider: "luks2",
      keys: keys.map(({ nodeId, kms, tpm, static: secret }, slot) => ({
        slot,
        nodeID: nodeId && {},
        kms: kms && { endpoint: kms.endpoint },
        tpm: tpm && { checkSecurebootStatusOnEnroll: tpm.checkSecurebootStatusOnEnroll },
        static: secret && { passphrase: secret.passphrase },
      })),
    }
  );
}
