import { type InputProblem, inputProblems } from "../configError";
import type { Path } from "../path";
import { kmsProblem } from "../rules/valueRules";
import type { Gapped } from "./mapping";

/**
 * A key of an encrypted volume; set exactly one of the members. Each key opens the volume alone, so
 * the weakest key decides the security.
 */
export interface EncryptionKey {
  /**
   * Derived from the machine's UUID. It protects a disk outside its machine, but not from a reader
   * of the instance's metadata. It is free and needs no service.
   */
  readonly nodeId?: Readonly<Record<string, never>> | undefined;
  /** Sealed by a server with Talos' KMS protocol. Machines ask it at each boot. */
  readonly kms?: {
    /** `https://kms.example.com:4050`; `grpc://` is without TLS. */
    readonly endpoint: string;
  };
  /** Sealed by the machine's TPM: on AWS, NitroTPM, which the AMI must enable. */
  readonly tpm?: {
    /** Whether to create a key only with SecureBoot enabled. Default: false. */
    readonly checkSecurebootStatusOnEnroll?: boolean | undefined;
  };
  /**
   * A passphrase in the machine configuration. Every reader of that configuration knows it. Secret.
   */
  readonly static?:
    | {
        /** The passphrase. Secret. */
        readonly passphrase: string;
      }
    | undefined;
}

const kinds = ["nodeId", "kms", "tpm", "static"] as const;

/** All problems of a volume's keys. The messages never contain a passphrase. */
export function checkEncryptionKeys(
  path: Path,
  keys: readonly EncryptionKey[] | undefined,
): InputProblem[] {
  if (keys?.length === 0) {
    return inputProblems(path, "is empty: a volume without a key can't be opened");
  }
  return (keys ?? []).flatMap((key, index) => [
    ...inputProblems([...path, index], checkKind(key)),
    ...inputProblems([...path, index, "kms", "endpoint"], key.kms && kmsProblem(key.kms.endpoint)),
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
    ? `has no kind: set one of ${kinds.join(", ")}`
    : `has several kinds, ${given.join(" and ")}: give one key for each`;
}

/** The keys in Talos' form, each in the slot of its position in the list. */
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
