import { checkEncryptionKeys, encryptionFields, type EncryptionKey } from "./encryptionKey";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** The LUKS2 keys of Talos' own volumes. Each key of a volume opens it. */
export interface DiskEncryption {
  /**
   * The volume with the machine configuration and the machine's identity. Default: not encrypted.
   */
  readonly state?: readonly EncryptionKey[] | undefined;
  /** The volume with everything else: images, pods, logs, etcd. Default: not encrypted. */
  readonly ephemeral?: readonly EncryptionKey[] | undefined;
}

/** The encryption of Talos' own volumes. */
export interface DiskEncryptionOptions {
  /**
   * Encryption of Talos' own volumes. It applies when a machine's disk is set up: a later change
   * needs another machine. Default: none (on AWS, EBS encrypts).
   */
  readonly diskEncryption?: DiskEncryption | undefined;
}

const volumes = ["state", "ephemeral"] as const;

/**
 * Encryption of Talos' own volumes: `VolumeConfig`, or `machine.systemDiskEncryption` in older
 * contracts.
 */
export const diskEncryption: Generator<DiskEncryptionOptions> = {
  check: ({ diskEncryption: encryption = {} }) =>
    volumes.flatMap((volume) =>
      checkEncryptionKeys(["diskEncryption", volume], encryption[volume]),
    ),

  generate({ diskEncryption: encryption = {} }, { volumeDocuments }) {
    const encrypted = volumes.filter((volume) => encryption[volume] !== undefined);
    if (encrypted.length === 0) {
      return {};
    }
    if (volumeDocuments) {
      return {
        documents: encrypted.map((volume) =>
          configDocument("VolumeConfig", {
            name: volume.toUpperCase(),
            encryption: encryptionFields(encryption[volume]),
          }),
        ),
      };
    }
    const systemDiskEncryption = {
      state: encryptionFields(encryption.state),
      ephemeral: encryptionFields(encryption.ephemeral),
    };
    return { config: mapping({ machine: { systemDiskEncryption } }) };
  },
};
