import { createHash } from "node:crypto";
import { messageOfError } from "../../../provider/base";
import {
  isKubernetesObject,
  objectAt,
  type Json,
  type KubernetesObject,
} from "../kubernetes/kubernetesObject";
import type { RestoredObjects } from "../kubernetes/kubernetesStore";
import type { NodeRecord } from "../kubernetes/nodeRecord";
import { readBolt, writeBolt, type BoltBucket } from "./boltFile";
import type { EtcdCluster } from "./etcdCluster";
import { decodeKeyValue, encodeKeyValue } from "./keyValue";

const HASH_BYTES = 32;
const SECTOR_BYTES = 512;
const NODE_PREFIX = "/registry/minions/";
const STORAGE_VERSION = "3.6.0";
/** Path of an uploaded snapshot in Talos. */
const UPLOAD_PATH = "/var/lib/etcd.snapshot";

/**
 * A snapshot of a cluster as etcd sends it: its database and the database's SHA-256. Kubernetes'
 * objects are in the simulator's own form.
 */
export function writeSnapshot(cluster: EtcdCluster): Buffer {
  const { nodes, objects } = cluster.kubernetes;
  const index = Buffer.alloc(8);
  index.writeBigUInt64BE(BigInt(cluster.raftIndex));
  const term = Buffer.alloc(8);
  term.writeBigUInt64BE(BigInt(cluster.raftTerm));
  const records = [
    ...nodes.map((node) => [node.resourceVersion, encodeNode(node)] as const),
    ...objects.entries.map(([key, object]) => {
      const revision = Number(object.metadata.resourceVersion);
      return [revision, encodeObject(key, object, revision)] as const;
    }),
  ];
  const keys: BoltBucket = records
    .sort(([one], [other]) => one - other)
    .map(([revision, record]) => [revisionKey(revision), record]);
  const database = writeBolt(
    new Map<string, BoltBucket>([
      ["alarm", []],
      ["auth", []],
      ["authRoles", []],
      ["authUsers", []],
      ["cluster", [[Buffer.from("clusterVersion"), Buffer.from(STORAGE_VERSION)]]],
      ["key", keys],
      ["lease", []],
      ["members", []],
      ["members_removed", []],
      [
        "meta",
        [
          [Buffer.from("consistent_index"), index],
          [Buffer.from("storageVersion"), Buffer.from(STORAGE_VERSION)],
          [Buffer.from("term"), term],
        ],
      ],
    ]),
  );
  return Buffer.concat([database, createHash("sha256").update(database).digest()]);
}

/**
 * The Kubernetes objects in a snapshot; empty for a real cluster's snapshot, which the simulator
 * can't read. Throws an `Error` with Talos' and etcd's message if it is missing or damaged.
 */
export function readSnapshot(
  snapshot: Buffer | undefined,
  { skipHashCheck }: { readonly skipHashCheck: boolean },
): RestoredObjects {
  if (!snapshot) {
    throw new Error(`error verifying snapshot: stat ${UPLOAD_PATH}: no such file or directory`);
  }
  const hasHash = snapshot.length % SECTOR_BYTES === HASH_BYTES;
  const database = hasHash ? snapshot.subarray(0, -HASH_BYTES) : snapshot;
  const entries = readKeys(database);
  if (!skipHashCheck) {
    if (!hasHash) {
      throw new Error(
        "error recovering from the snapshot: snapshot missing hash but --skip-hash-check=false",
      );
    }
    const actual = createHash("sha256").update(database).digest();
    const expected = snapshot.subarray(-HASH_BYTES);
    if (!actual.equals(expected)) {
      throw new Error(
        `error recovering from the snapshot: expected sha256 [${expected.join(" ")}], got [${actual.join(" ")}]`,
      );
    }
  }
  return {
    nodes: entries.flatMap(([, value]) => decodeNode(value) ?? []),
    objects: entries.flatMap(([, value]) => decodeObject(value) ?? []),
  };
}

function readKeys(database: Buffer): BoltBucket {
  try {
    return readBolt(database, "key");
  } catch (error) {
    const reason = messageOfError(error);
    throw new Error(`error verifying snapshot: ${reason}`, { cause: error });
  }
}

/**
 * etcd's keys are revisions: the main revision, an underscore, the sub-revision of the transaction.
 */
function revisionKey(revision: number): Buffer {
  const key = Buffer.alloc(17);
  key.writeBigUInt64BE(BigInt(revision), 0);
  key.write("_", 8);
  return key;
}

function encodeNode(node: NodeRecord): Buffer {
  const key = `${NODE_PREFIX}${node.name}`;
  return encodeKeyValue({ key, value: JSON.stringify(node) }, node.resourceVersion);
}

/** A line with the object. For a ConfigMap, its texts follow unchanged, as in a real snapshot. */
function encodeObject(key: string, object: KubernetesObject, revision: number): Buffer {
  const data = object.kind === "ConfigMap" ? objectAt(object, "data") : undefined;
  const texts = Object.values(data ?? {}).filter((text) => typeof text === "string");
  const value = [JSON.stringify(object), ...texts].join("\n");
  return encodeKeyValue({ key, value }, revision);
}

function decodeObject(bytes: Buffer): KubernetesObject | undefined {
  const { key, value } = decodeKeyValue(bytes);
  const isOther = key.startsWith(NODE_PREFIX) || !key.startsWith("/registry/");
  if (isOther || !value.startsWith("{")) {
    return undefined;
  }
  const [line = ""] = value.split("\n", 1);
  const object = JSON.parse(line) as Json;
  return isKubernetesObject(object) ? object : undefined;
}

function decodeNode(bytes: Buffer): NodeRecord | undefined {
  const { key, value } = decodeKeyValue(bytes);
  if (!key.startsWith(NODE_PREFIX) || !value.startsWith("{")) {
    return undefined;
  }
  const stored = JSON.parse(value) as NodeRecord;
  const dateOf = (date: Date | string) => new Date(date);
  return {
    ...stored,
    createdAt: dateOf(stored.createdAt),
    readyChangedAt: dateOf(stored.readyChangedAt),
    lostAt: stored.lostAt && dateOf(stored.lostAt),
  };
}
