import { createSocket, type RemoteInfo } from "node:dgram";
import { isIPv4 } from "node:net";

/** Sizes, types and flags of messages. Source: RFC 1035, section 4.1. */
const HEADER_BYTES = 12;
const TYPE_A = 1;
const ANSWERED = 0x8180;
const NAME_ERROR = 3;
const POINTER_TO_QUESTION = 0xc00c;

/** A DNS server of the emulated cloud. */
export interface DnsServer {
  /** `<host>:<port>`, over UDP. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves the emulated cloud's DNS: IPv4 addresses, for programs that reach machines by name. Answers
 * must not be cached (a TTL of 0).
 *
 * @param resolve returns the addresses of a name, none for an unknown one
 * @param at where it listens. Default: a free port of 127.0.0.1
 * @throws the system's error when it can't listen there
 */
export async function startDnsServer(
  resolve: (name: string) => Promise<readonly string[]>,
  { host, port }: { readonly host: string; readonly port: number } = { host: "127.0.0.1", port: 0 },
): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const answer = async (message: Buffer, from: RemoteInfo) => {
    const question = readQuestion(message);
    if (question === undefined) {
      return;
    }
    const addresses = await resolve(question.name).catch(() => []);
    const reply = encodeReply(message, question, addresses.filter(isIPv4));
    socket.send(reply, from.port, from.address);
  };
  socket.on("message", (message, from) => void answer(message, from));
  await new Promise<void>((done, fail) => {
    socket.once("error", fail);
    socket.bind(port, host, done);
  });
  return {
    address: `${host}:${socket.address().port}`,
    close: () => new Promise((done) => socket.close(done)),
  };
}

interface Question {
  readonly name: string;
  readonly type: number;
  /** Where it ends in the message. */
  readonly end: number;
}

function readQuestion(message: Buffer): Question | undefined {
  const labels: string[] = [];
  for (let at = HEADER_BYTES; at < message.length;) {
    const length = message.readUInt8(at);
    const next = at + 1 + length;
    if (length === 0) {
      const isWhole = message.length >= next + 4;
      return isWhole
        ? { name: labels.join("."), type: message.readUInt16BE(next), end: next + 4 }
        : undefined;
    }
    labels.push(message.toString("latin1", at + 1, next));
    at = next;
  }
  return undefined;
}

function encodeReply(message: Buffer, question: Question, addresses: readonly string[]): Buffer {
  const answers = question.type === TYPE_A ? addresses : [];
  const header = Buffer.alloc(HEADER_BYTES);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(addresses.length === 0 ? ANSWERED | NAME_ERROR : ANSWERED, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([
    header,
    message.subarray(HEADER_BYTES, question.end),
    ...answers.map(encodeAddress),
  ]);
}

function encodeAddress(address: string): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(POINTER_TO_QUESTION, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(4, 10);
  address.split(".").forEach((part, index) => record.writeUInt8(Number(part), 12 + index));
  return record;
}
