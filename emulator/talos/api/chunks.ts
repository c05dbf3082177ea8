/**
 * The size of a message in Talos' streams of files and logs (talos v1.12.1, `pkg/chunker/stream`).
 */
const CHUNK_BYTES = 1024;

/** Bytes in the chunks of a node's stream. */
export function* chunksOf(bytes: Buffer): Iterable<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}
