import { createHash } from "node:crypto";
import type { ConfigMapRecord } from "../kubernetes/configMaps";
import type { NodeRecord, StoredObjects } from "../kubernetes/kubernetesStore";
import { readBolt, writeBolt, type BoltBucket } from "./boltFile";
import type { EtcdCluster } from "./etcdCluster";
import { decodeKeyValue, encodeKeyValue } from "./keyValue";

const hashBytes = 32;
const sectorBytes = 512;
const nodePrefix = "/registry/minions/";
const configMapPrefix = "/registry/configmaps/";
const storageVersion = "3.6.0";
/** Where Talos keeps what was uploaded. */
const uploadPath = "/var/lib/etcd.snapshot";

/**
 * A snapshot of a cluster as etcd sends it: its database and the SHA-256 of that. Of what Kubernetes
 * stores it has the nodes and ConfigMaps, in the simulator's own form: texts stand there as they are, as
 * in a real one.
 */
export function writeSnapshot(cluster: EtcdCluster): Buffer {
  const { nodes, configMaps, resourceVersion } = cluster.kubernetes;
  const index = Buffer.alloc(8);
  index.writeBigUInt64BE(BigInt(cluster.raftIndex));
  const term = Buffer.alloc(8);
  term.writeBigUInt64BE(BigInt(cluster.raftTerm));
  const keys: BoltBucket = [
    ...nodes.map((node) => [node.resourceVersion, encodeNode(node)] as const),
    ...configMaps.all.map((each) => [each.resourceVersion, encodeConfigMap(each)] as const),
  ]
    .sort(([a], [b]) => a - b)
    .map(([revision, value]) => [revisionKey(revision), value]);
  const database = writeBolt(
    new Map<string, BoltBucket>([
      ["alarm", []],
      ["auth", []],
      ["authRoles", []],
      ["authUsers", []],
      ["cluster", [[Buffer.from("clusterVersion"), Buffer.from(storageVersion)]]],
      ["key", keys.length > 0 ? keys : [[revisionKey(resourceVersion), encodeHealth()]]],
      ["lease", []],
      ["members", []],
      ["members_removed", []],
      [
        "meta",
        [
          [Buffer.from("consistent_index"), index],
          [Buffer.from("storageVersion"), Buffer.from(storageVersion)],
          [Buffer.from("term"), term],
        ],
      ],
    ]),
  );
  return Buffer.concat([database, createHash("sha256").update(database).digest()]);
}

/**
 * The objects in a snapshot; none in one of a real cluster, whose objects the simulator cannot read.
 * Raises an `Error` in the words of Talos and etcd if there is no snapshot or it is damaged.
 */
export function readSnapshot(
  snapshot: Buffer | undefined,
  { skipHashCheck }: { readonly skipHashCheck: boolean },
): StoredObjects {
  if (!snapshot) {
    throw new Error(`error verifying snapshot: stat ${uploadPath}: no such file or directory`);
  }
  const hasHash = snapshot.length % sectorBytes === hashBytes;
  const database = hasHash ? snapshot.subarray(0, -hashBytes) : snapshot;
  const entries = readKeys(database);
  if (!skipHashCheck) {
    if (!hasHash) {
      throw new Error(
        "error recovering from the snapshot: snapshot missing hash but --skip-hash-check=false",
      );
    }
    const actual = createHash("sha256").update(database).digest();
    const expected = snapshot.subarray(-hashBytes);
    if (!actual.equals(expected)) {
      throw new Error(
        `error recovering from the snapshot: expected sha256 [${expected.join(" ")}], got [${actual.join(" ")}]`,
      );
    }
  }
  return {
    nodes: entries.flatMap(([, value]) => decodeNode(value) ?? []),
    configMaps: entries.flatMap(([, value]) => decodeConfigMap(value) ?? []),
  };
}

function readKeys(database: Buffer): BoltBucket {
  try {
    return readBolt(database, "key");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`error verifying snapshot: ${reason}`, { cause: error });
  }
}

/** etcd's keys are revisions: the main one, an underscore, the one within a transaction. */
function revisionKey(revision: number): Buffer {
  const key = Buffer.alloc(17);
  key.writeBigUInt64BE(BigInt(revision), 0);
  key.write("_", 8);
  return key;
}

function encodeNode(node: NodeRecord): Buffer {
  const key = `${nodePrefix}${node.name}`;
  return encodeKeyValue({ key, value: JSON.stringify(node) }, node.resourceVersion);
}

/** A line about it, then its texts one after the other. */
function encodeConfigMap({ data, ...record }: ConfigMapRecord): Buffer {
  const key = `${configMapPrefix}${record.namespace}/${record.name}`;
  const lengths = Object.entries(data).map(([name, text]) => [name, text.length]);
  const value = `${JSON.stringify({ ...record, lengths })}\n${Object.values(data).join("")}`;
  return encodeKeyValue({ key, value }, record.resourceVersion);
}

function decodeConfigMap(bytes: Buffer): ConfigMapRecord | undefined {
  const { key, value } = decodeKeyValue(bytes);
  if (!key.startsWith(configMapPrefix) || !value.startsWith("{")) return undefined;
  const end = value.indexOf("\n");
  const { lengths, ...record } = JSON.parse(value.slice(0, end)) as ConfigMapRecord & {
    readonly lengths: readonly (readonly [name: string, length: number])[];
  };
  let position = end + 1;
  const data = lengths.map(([name, length]) => {
    position += length;
    return [name, value.slice(position - length, position)] as const;
  });
  return { ...record, createdAt: new Date(record.createdAt), data: Object.fromEntries(data) };
}

/** The key that Talos reads to see whether there is a majority. */
function encodeHealth(): Buffer {
  return encodeKeyValue({ key: "health", value: "" }, 1);
}

function decodeNode(bytes: Buffer): NodeRecord | undefined {
  const { key, value } = decodeKeyValue(bytes);
  if (!key.startsWith(nodePrefix) || !value.startsWith("{")) return undefined;
  const stored = JSON.parse(value) as NodeRecord;
  const dateOf = (date: Date | string) => new Date(date);
  return {
    ...stored,
    createdAt: dateOf(stored.createdAt),
    readyChangedAt: dateOf(stored.readyChangedAt),
    lostAt: stored.lostAt && dateOf(stored.lostAt),
  };
}
