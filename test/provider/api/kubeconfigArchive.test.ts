import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { readKubeconfigArchive } from "../../../provider/api/kubeconfigArchive";

function tar(content: Buffer, { name = "kubeconfig", size = content.length } = {}): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  return Buffer.concat([header, content]);
}

describe("readKubeconfigArchive", () => {
  it("reads any content, with and without the padding and end that Talos omits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 2000 }), (text) => {
        const content = Buffer.from(text, "utf8");
        const bare = tar(content);
        const whole = Buffer.concat([bare, Buffer.alloc(1536 - (content.length % 512))]);
        expect(readKubeconfigArchive(gzipSync(bare))).toBe(text);
        expect(readKubeconfigArchive(gzipSync(whole))).toBe(text);
      }),
    );
  });

  it.each([
    ["no gzip", Buffer.from("secret"), "the reply of 6 bytes is not gzip data"],
    ["cut gzip", gzipSync(tar(Buffer.from("secret"))).subarray(0, 30), "is not gzip data"],
    ["no tar", gzipSync("secret"), "after decompression it has 6 bytes without a tar header"],
    [
      "another file",
      gzipSync(tar(Buffer.from("secret"), { name: "x" })),
      'contains "x" instead of',
    ],
    [
      "too little",
      gzipSync(tar(Buffer.from("secret"), { size: 7 })),
      "should have 7 bytes and has 6",
    ],
    ["an empty file", gzipSync(tar(Buffer.alloc(0))), "should have 0 bytes"],
  ])("rejects %s without quoting it", (_, archive, message) => {
    expect(() => readKubeconfigArchive(archive)).toThrow(message);
    expect(() => readKubeconfigArchive(archive)).not.toThrow("secret");
  });
});
