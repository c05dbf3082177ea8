/**
 * The number at `start`, and the offset after it (Protocol Buffers encoding, "Base 128 Varints").
 * Throws an `Error` for incomplete bytes.
 */
export function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let index = start; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (index - start));
    if ((byte & 0x80) === 0) {
      return { value, end: index + 1 };
    }
  }
  throw new Error("unexpected end of message");
}

/** Encodes a number for `readVarint`. */
export function writeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}
