import { gunzipSync, gzipSync } from "node:zlib";
import {
  decodeDocuments,
  type MarkedValues,
  outlineDocuments,
  plainOutline,
  withheldHash,
} from "../../provider/config";
import { WITHHELD } from "../../provider/pki";

/** EC2's limit, before base64. */
const MAX_USER_DATA_BYTES = 16_384;

/** The most that user data is unpacked to. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * A machine configuration as EC2 user data, in base64. It is compressed with gzip only if it is too
 * large otherwise; Talos detects gzip. gzip output differs between Node.js versions and would show
 * as a diff of launch templates. Secret, like the configuration.
 */
export function encodeUserData(configuration: string): string {
  const isSecret = !configuration.includes(WITHHELD);
  return isSecret ? encode(configuration).toString("base64") : withheldUserData(configuration);
}

/**
 * What stands for user data in a state without secrets: it follows from the rest of the configuration.
 *
 * @param configuration the text, with or without its secrets
 * @param marked values in it that a program marked as secret. Default: none
 */
export function withheldUserData(configuration: string, marked: MarkedValues = []): string {
  const outline = outlineDocuments(decodeDocuments(configuration), { marked });
  return Buffer.from(`withheld ${withheldHash(plainOutline(outline))}`).toString("base64");
}

/** The text of user data. */
export function decodeUserData(userData: string): string {
  const bytes = Buffer.from(userData, "base64");
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isCompressed ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes).toString();
}

/**
 * What is wrong with a machine configuration as user data; undefined without a problem.
 *
 * @returns a reason that quotes nothing of the configuration
 */
export function userDataProblem(configuration: string): string | undefined {
  const { length } = encode(configuration);
  return length <= MAX_USER_DATA_BYTES
    ? undefined
    : `the machine configuration takes ${length} bytes after gzip, and EC2 allows ${MAX_USER_DATA_BYTES} of user data: make it smaller (long inline manifests and files can be fetched by URL), or deliver it with "apply"`;
}

/** The same where it can't be compressed, as its text is handed on as it is. */
export function plainUserDataProblem(configuration: string): string | undefined {
  const length = Buffer.byteLength(configuration, "utf8");
  return length <= MAX_USER_DATA_BYTES
    ? undefined
    : `the machine configuration takes ${length} bytes, and Karpenter hands it to EC2 as it is, which allows ${MAX_USER_DATA_BYTES} of user data: make the patches of this pool and of all workers smaller, or take autoScaling, by which it is compressed`;
}

function encode(configuration: string): Buffer {
  const plain = Buffer.from(configuration, "utf8");
  if (plain.length <= MAX_USER_DATA_BYTES) {
    return plain;
  }
  const bytes = gzipSync(plain, { level: 9 });
  // The operating system that created it (RFC 1952, section 2.3.1): 255 is unknown.
  bytes[9] = 255;
  return bytes;
}
