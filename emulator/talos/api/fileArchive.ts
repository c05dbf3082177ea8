import { gzipSync } from "node:zlib";

const HEADER_LENGTH = 512;

/**
 * A file as the gzipped tar of a Talos node: header and content, without tar's padding and
 * end-of-archive blocks.
 */
export function fileArchive(name: string, content: Buffer, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(HEADER_LENGTH);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  const fields: [offset: number, text: string][] = [
    [0, name],
    [100, `${octal(0o600, 7)}\0`],
    [108, `${octal(0, 7)}\0`],
    [116, `${octal(0, 7)}\0`],
    [124, `${octal(content.length, 11)}\0`],
    [136, `${octal(Math.floor(modifiedAt.getTime() / 1000), 11)}\0`],
    // The checksum counts its own field as blanks.
    [148, " ".repeat(8)],
    [156, "0"],
    [257, "ustar\x0000"],
    [329, `${octal(0, 7)}\0`],
    [337, `${octal(0, 7)}\0`],
  ];
  for (const [offset, text] of fields) {
    header.write(text, offset, "latin1");
  }
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${octal(checksum, 6)}\0 `, 148, "latin1");
  return gzipSync(Buffer.concat([header, content]));
}
