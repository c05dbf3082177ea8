/** Keys and values of one bucket, in the order of the keys' bytes. */
export type BoltBucket = readonly (readonly [key: Buffer, value: Buffer])[];

/** Layout of a bbolt file (go.etcd.io/bbolt v1.4, `internal/common`). */
const PAGE_BYTES = 4096;
const HEADER_BYTES = 16;
const ELEMENT_BYTES = 16;
const MAGIC = 0xed0cdaed;
const FORMAT_VERSION = 2;
const flags = { branch: 1, leaf: 2, meta: 4, freelist: 16 };
const BUCKET_ELEMENT = 1;
/** Pages 0 to 3: two metas, the free list, the root. The buckets follow. */
const FIRST_BUCKET_PAGE = 4;

/** A bbolt database with some buckets and checksums, the format of etcd's data and snapshots. */
export function writeBolt(buckets: ReadonlyMap<string, BoltBucket>): Buffer {
  const names = [...buckets.keys()].sort();
  const pages: Buffer[] = [];
  let next = FIRST_BUCKET_PAGE;
  const root: [key: Buffer, value: Buffer][] = names.map((name) => {
    const page = leafPage(next, buckets.get(name) ?? [], 0);
    const reference = Buffer.alloc(16);
    reference.writeBigUInt64LE(BigInt(next), 0);
    pages.push(page);
    next += page.length / PAGE_BYTES;
    return [Buffer.from(name), reference];
  });
  const rootPage = leafPage(3, root, BUCKET_ELEMENT);
  if (rootPage.length !== PAGE_BYTES) {
    throw new Error("too many buckets for one page");
  }
  return Buffer.concat([
    metaPage(0, next, 0n),
    metaPage(1, next, 1n),
    page(2, flags.freelist, 0, Buffer.alloc(0)),
    rootPage,
    ...pages,
  ]);
}

/** The keys and values of a bucket in a bbolt database. Throws an `Error` for other files. */
export function readBolt(file: Buffer, bucket: string): BoltBucket {
  if (file.length < 2 * PAGE_BYTES || file.readUInt32LE(HEADER_BYTES) !== MAGIC) {
    throw new Error("invalid database");
  }
  const bytesOfPage = file.readUInt32LE(HEADER_BYTES + 8);
  const metas = [0, bytesOfPage].map((start) => ({
    root: file.readBigUInt64LE(start + HEADER_BYTES + 16),
    transaction: file.readBigUInt64LE(start + HEADER_BYTES + 48),
  }));
  const newest = metas.reduce((a, b) => (b.transaction > a.transaction ? b : a));
  const reader = (page: bigint) => file.subarray(Number(page) * bytesOfPage);
  const entry = entriesOf(reader(newest.root), reader).find(([key]) => key.toString() === bucket);
  if (!entry) {
    return [];
  }
  const [, value] = entry;
  const root = value.readBigUInt64LE(0);
  // A small bucket is stored inline.
  return entriesOf(root === 0n ? value.subarray(16) : reader(root), reader);
}

function entriesOf(start: Buffer, reader: (page: bigint) => Buffer): [Buffer, Buffer][] {
  const kind = start.readUInt16LE(8);
  const elements = Array.from({ length: start.readUInt16LE(10) }, (_, index) =>
    start.subarray(HEADER_BYTES + index * ELEMENT_BYTES),
  );
  if (kind === flags.branch) {
    return elements.flatMap((element) => entriesOf(reader(element.readBigUInt64LE(8)), reader));
  }
  if (kind !== flags.leaf) {
    throw new Error("invalid database");
  }
  return elements.map((element) => {
    const position = element.readUInt32LE(4);
    const keyEnd = position + element.readUInt32LE(8);
    return [
      element.subarray(position, keyEnd),
      element.subarray(keyEnd, keyEnd + element.readUInt32LE(12)),
    ];
  });
}

function leafPage(id: number, entries: BoltBucket, elementFlags: number): Buffer {
  const elements = Buffer.alloc(entries.length * ELEMENT_BYTES);
  let position = elements.length;
  entries.forEach(([key, value], index) => {
    const start = index * ELEMENT_BYTES;
    elements.writeUInt32LE(elementFlags, start);
    elements.writeUInt32LE(position - start, start + 4);
    elements.writeUInt32LE(key.length, start + 8);
    elements.writeUInt32LE(value.length, start + 12);
    position += key.length + value.length;
  });
  return page(id, flags.leaf, entries.length, Buffer.concat([elements, ...entries.flat()]));
}

function metaPage(id: number, highestPage: number, transaction: bigint): Buffer {
  const meta = Buffer.alloc(64);
  meta.writeUInt32LE(MAGIC, 0);
  meta.writeUInt32LE(FORMAT_VERSION, 4);
  meta.writeUInt32LE(PAGE_BYTES, 8);
  meta.writeBigUInt64LE(3n, 16);
  meta.writeBigUInt64LE(2n, 32);
  meta.writeBigUInt64LE(BigInt(highestPage), 40);
  meta.writeBigUInt64LE(transaction, 48);
  meta.writeBigUInt64LE(fnv1a(meta.subarray(0, 56)), 56);
  return page(id, flags.meta, 0, meta);
}

/** A page and as many more as its content needs. */
function page(id: number, kind: number, count: number, content: Buffer): Buffer {
  const pages = Math.max(1, Math.ceil((HEADER_BYTES + content.length) / PAGE_BYTES));
  const bytes = Buffer.alloc(pages * PAGE_BYTES);
  bytes.writeBigUInt64LE(BigInt(id), 0);
  bytes.writeUInt16LE(kind, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(pages - 1, 12);
  content.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** FNV-1a of 64 bits. */
function fnv1a(bytes: Buffer): bigint {
  return bytes.reduce(
    (hash, byte) => ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn,
    0xcbf29ce484222325n,
  );
}
