import { createPublicKey, verify } from "node:crypto";
import * as fc from "fast-check";
import { createKey } from "../../../provider/pki/privateKey";
import { signSeeded } from "../../../provider/pki/seededKeys";
import { seededRandomBytes } from "./seededRandomBytes";

const key = createKey("p256", seededRandomBytes("key"));
const other = createKey("p256", seededRandomBytes("other"));

test("OpenSSL verifies it, for what was signed and with the key that signed", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), (data, seed) => {
      const signature = signSeeded(data, key, seededRandomBytes(seed));
      const isBy = (signer: typeof key, signed: Uint8Array) =>
        verify(
          "sha256",
          signed,
          { key: createPublicKey(signer), dsaEncoding: "ieee-p1363" },
          signature,
        );
      expect(isBy(key, data)).toBe(true);
      expect(isBy(other, data)).toBe(false);
      expect(isBy(key, Buffer.concat([data, Buffer.of(0)]))).toBe(false);
    }),
  );
});

test("the source determines it, and another source makes another", () => {
  const signed = (seed: string) =>
    Buffer.from(signSeeded(Buffer.from("text"), key, seededRandomBytes(seed))).toString("hex");
  expect(signed("a")).toBe(signed("a"));
  expect(signed("a")).not.toBe(signed("b"));
});
