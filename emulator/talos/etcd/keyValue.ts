import { readVarint, writeVarint } from "../rpc/varint";

/** A key in etcd's format, with the fields that are read here. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** Fields of `mvccpb.KeyValue` and their wire types (etcd v3.6, `api/mvccpb/kv.proto`). */
const fields = { key: 1, createRevision: 2, modRevision: 3, version: 4, value: 5 };
const VARINT_TYPE = 0;
const BYTES_TYPE = 2;

/** A key that was written once, at the given revision. */
export function encodeKeyValue({ key, value }: KeyValue, revision: number): Buffer {
  const bytes = (field: number, text: string) => {
    const content = Buffer.from(text);
    return [writeVarint((field << 3) | BYTES_TYPE), writeVarint(content.length), content];
  };
  const number = (field: number, count: number) => [
    writeVarint((field << 3) | VARINT_TYPE),
    writeVarint(count),
  ];
  return Buffer.concat([
    ...bytes(fields.key, key),
    ...number(fields.createRevision, revision),
    ...number(fields.modRevision, revision),
    ...number(fields.version, 1),
    ...bytes(fields.value, value),
  ]);
}

/** Decodes a key and its value. Throws an `Error` for other messages. */
export function decodeKeyValue(bytes: Buffer): KeyValue {
  const texts = new Map<number, string>();
  let position = 0;
  const next = () => {
    const { value, end } = readVarint(bytes, position);
    position = end;
    return value;
  };
  while (position < bytes.length) {
    const tag = next();
    const count = next();
    if ((tag & 7) !== BYTES_TYPE) {
      continue;
    }
    texts.set(tag >> 3, bytes.toString("utf8", position, position + count));
    position += count;
  }
  return { key: texts.get(fields.key) ?? "", value: texts.get(fields.value) ?? "" };
}
