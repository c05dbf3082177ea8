/** What Talos sends of a file or log in one message (talos v1.12.1, `pkg/chunker/stream`). */
const chunkBytes = 1024;

/** Bytes in pieces as a node streams them. */
export function* chunksOf(bytes: Buffer): Iterable<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
  }
}
