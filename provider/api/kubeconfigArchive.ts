import { gunzipSync } from "node:zlib";

const headerBytes = 512;

/**
 * The text of the one file in a Kubeconfig reply.
 *
 * Talos v1.12.1 answers with a gzip'ed tar (POSIX.1-1988 header) that has neither padding after
 * the file nor an end-of-archive mark, which tar readers take for a broken archive. So the header
 * is read here, and then as many bytes as it says. Raises an `Error` that says what is missing and
 * holds nothing of the content, which is secret.
 */
export function readKubeconfigArchive(archive: Uint8Array): string {
  const tar = decompress(archive);
  const nameField = tar.subarray(0, 100);
  const sizeField = tar.subarray(124, 136).toString("latin1").replaceAll("\0", "").trim();
  if (tar.length < headerBytes || !/^[0-7]+$/.test(sizeField)) {
    throw new Error(
      `the reply is not an archive with a kubeconfig: after decompression it has ${tar.length} bytes without a tar header`,
    );
  }
  const name = nameField.subarray(0, nameField.indexOf(0)).toString("utf8");
  if (name !== "kubeconfig") {
    throw new Error(`the archive holds "${name}" where a file "kubeconfig" is expected`);
  }
  const size = Number.parseInt(sizeField, 8);
  const content = tar.subarray(headerBytes, headerBytes + size);
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
