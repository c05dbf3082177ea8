import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghijklmnopqrstuv";
const ID_BYTES = 12;
const ID_LENGTH = 20;

/**
 * Event ids in Talos' form (`rs/xid`): 12 bytes in 20 characters. The first four bytes are the time
 * in seconds, so ids sort by time.
 */
export class EventIds {
  private readonly machine = randomBytes(5);
  private counter = randomBytes(3).readUIntBE(0, 3);

  /** An id greater than all before it. */
  next(at: Date): string {
    this.counter = (this.counter + 1) & 0xffffff;
    const bytes = Buffer.alloc(ID_BYTES);
    bytes.writeUInt32BE(Math.floor(at.getTime() / 1000), 0);
    this.machine.copy(bytes, 4);
    bytes.writeUIntBE(this.counter, 9, 3);
    return encode(bytes);
  }
}

/** Whether a text has the form of an event id. */
export function isEventId(text: string): boolean {
  return text.length === ID_LENGTH && /^[0-9a-v]{19}[0g]$/.test(text);
}

function encode(bytes: Buffer): string {
  let text = "";
  for (let bit = 0; bit < ID_BYTES * 8; bit += 5) {
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += ALPHABET[(pair >> (11 - (bit & 7))) & 31] ?? "";
  }
  return text;
}
