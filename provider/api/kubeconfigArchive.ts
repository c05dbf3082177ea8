import { gunzipSync } from "node:zlib";

const HEADER_BYTES = 512;

/**
 * The text of the single file in a Kubeconfig reply.
 *
 * Talos v1.12.1 answers with a gzipped tar (POSIX.1-1988 header) without padding after the file and
 * without an end-of-archive mark. Tar readers reject it. So this reads the header, and then as many
 * bytes as the header says. Raises an `Error` that says what is missing and contains no content,
 * which is secret.
 */
export function readKubeconfigArchive(archive: Uint8Array): string {
  const tar = decompress(archive);
  const nameField = tar.subarray(0, 100);
  const sizeField = tar.subarray(124, 136).toString("latin1").replaceAll("\0", "").trim();
  if (tar.length < HEADER_BYTES || !/^[0-7]+$/.test(sizeField)) {
    throw new Error(
      `the reply is not an archive with a kubeconfig: after decompression it has ${tar.length} bytes without a tar header`,
    );
  }
  const name = nameField.subarray(0, nameField.indexOf(0)).toString("utf8");
  if (name !== "kubeconfig") {
    throw new Error(`the archive contains "${name}" instead of the file "kubeconfig"`);
  }
  const size = Number.parseInt(sizeField, 8);
  const content = tar.subarray(HEADER_BYTES, HEADER_BYTES + size);
  if (content.length < size || size === 0) {
    throw new Error(
      `the archive ends early: its kubeconfig should have ${size} bytes and has ${content.length}`,
    );
  }
  return content.toString("utf8");
}

function decompress(archive: Uint8Array): Buffer {
  try {
    return gunzipSync(archive, { maxOutputLength: 32 * 1024 * 1024 });
  } catch (cause) {
    throw new Error(
      `the reply of ${archive.length} bytes is not gzip data that can be read to its end`,
      { cause },
    );
  }
}
