/** A key as etcd stores it, as far as it is read here. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** Fields of `mvccpb.KeyValue` and their wire types (etcd v3.6, `api/mvccpb/kv.proto`). */
const fields = { key: 1, createRevision: 2, modRevision: 3, version: 4, value: 5 };
const varintType = 0;
const bytesType = 2;

/** A key that was written once, in the given revision. */
export function encodeKeyValue({ key, value }: KeyValue, revision: number): Buffer {
  const bytes = (field: number, text: string) => {
    const content = Buffer.from(text);
    return [varint((field << 3) | bytesType), varint(content.length), content];
  };
  const number = (field: number, count: number) => [
    varint((field << 3) | varintType),
    varint(count),
  ];
  return Buffer.concat([
    ...bytes(fields.key, key),
    ...number(fields.createRevision, revision),
    ...number(fields.modRevision, revision),
    ...number(fields.version, 1),
    ...bytes(fields.value, value),
  ]);
}

/** Key and value of what etcd stores. Raises an `Error` where that is no such message. */
export function decodeKeyValue(bytes: Buffer): KeyValue {
  const texts = new Map<number, string>();
  let position = 0;
  const next = () => {
    let result = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[position];
      if (byte === undefined) throw new Error("unexpected end of a stored key");
      position += 1;
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) return result;
    }
  };
  while (position < bytes.length) {
    const tag = next();
    const count = next();
    if ((tag & 7) !== bytesType) continue;
    texts.set(tag >> 3, bytes.toString("utf8", position, position + count));
    position += count;
  }
  return { key: texts.get(fields.key) ?? "", value: texts.get(fields.value) ?? "" };
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}
