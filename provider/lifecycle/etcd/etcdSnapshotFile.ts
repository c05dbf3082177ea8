import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { fileProblem } from "../../base/fileProblem";
import { isUnknown } from "../../base/unknown";
import type { CheckFailure } from "../../engine/handler";

/** A snapshot of etcd on the computer that runs the program. */
export interface EtcdSnapshotFile {
  /**
   * Path of the file, relative to the program's working folder, as written by `talosctl etcd
   * snapshot` or `etcdctl snapshot save`. It contains every secret of Kubernetes in clear.
   */
  readonly path: string;
  /**
   * Accepts a copy of etcd's own file, `member/snap/db`. It lacks the checksum of a snapshot, so
   * its completeness can't be verified. Default: false.
   */
  readonly skipHashCheck?: boolean;
}

const HASH_BYTES = 32;
/**
 * A database consists of whole sectors, so the rest of the file is the hash. Source: etcd v3.6,
 * etcdutl/snapshot.
 */
const SECTOR_BYTES = 512;
/**
 * Offsets of the two meta pages; at least one of them describes the database. Source:
 * go.etcd.io/bbolt v1.4, meta.
 */
const META_PAGES = [0, 4096];
const PAGE_HEADER_BYTES = 16;
const BOLT_MAGIC = 0xed0cdaed;

/**
 * The problem of a snapshot, before any machine gets it: it can't be read, is no database, or is
 * damaged. Reads the whole file.
 */
export async function checkEtcdSnapshotFile(source: unknown): Promise<CheckFailure[]> {
  if (source === undefined || isUnknown(source)) {
    return [];
  }
  const property = "recoverFrom";
  if (!isSnapshotFile(source)) {
    const reason = `${JSON.stringify(source)} is no snapshot: give { path: "etcd.snapshot" }, and skipHashCheck: true with a copy of etcd's own file`;
    return [{ property, reason }];
  }
  const { path, skipHashCheck = false } = source;
  const problem = await problemOf(path, skipHashCheck).catch(fileProblem);
  return problem === undefined
    ? []
    : [{ property, reason: `there is no snapshot of etcd in "${path}": ${problem}` }];
}

/** The SHA-256 of a file's content, in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) {
    hash.update(part as Buffer);
  }
  return hash.digest("hex");
}

function isSnapshotFile(source: unknown): source is EtcdSnapshotFile {
  if (typeof source !== "object" || source === null) {
    return false;
  }
  const { path, skipHashCheck, ...others } = source as Readonly<Record<string, unknown>>;
  return (
    typeof path === "string" &&
    path !== "" &&
    (skipHashCheck === undefined || typeof skipHashCheck === "boolean") &&
    Object.keys(others).length === 0
  );
}

async function problemOf(path: string, skipHashCheck: boolean): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const isMeta = async (page: number) => {
      const word = Buffer.alloc(4);
      const { bytesRead } = await file.read(word, 0, word.length, page + PAGE_HEADER_BYTES);
      return bytesRead === word.length && word.readUInt32LE() === BOLT_MAGIC;
    };
    const isDatabase = (await Promise.all(META_PAGES.map(isMeta))).includes(true);
    if (!isDatabase) {
      return "it is not an etcd database";
    }
    if (skipHashCheck) {
      return undefined;
    }
    if (size % SECTOR_BYTES !== HASH_BYTES) {
      return `it has no checksum: it is incomplete, or it is a copy of etcd's own file; skipHashCheck accepts such a copy`;
    }
    const expected = Buffer.alloc(HASH_BYTES);
    await file.read(expected, 0, HASH_BYTES, size - HASH_BYTES);
    const hash = createHash("sha256");
    for await (const part of createReadStream(path, { end: size - HASH_BYTES - 1 })) {
      hash.update(part as Buffer);
    }
    return hash.digest().equals(expected)
      ? undefined
      : "it is damaged: its checksum does not match";
  } finally {
    await file.close();
  }
}
