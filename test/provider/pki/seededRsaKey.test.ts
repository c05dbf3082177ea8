import { createPublicKey, sign, verify } from "node:crypto";
import { encodeKey } from "../../../provider/pki/privateKey";
import { createSeededRsaKey } from "../../../provider/pki/seededKeys";
import { opensslCheckKey } from "./openssl";
import { seededRandomBytes } from "./seededRandomBytes";

test("an RSA key from a source is whole, signs, and has all its bits", async () => {
  const key = await createSeededRsaKey(seededRandomBytes("whole"));
  expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 4096, publicExponent: 65537n });
  const text = Buffer.from("a text");
  expect(verify("sha256", text, createPublicKey(key), sign("sha256", text, key))).toBe(true);
  opensslCheckKey(encodeKey(key));
});

test("a source that gives the same byte always makes no prime of it twice", async () => {
  let fill = 0;
  const key = await createSeededRsaKey((size) => new Uint8Array(size).fill(++fill));
  const { p, q } = key.export({ format: "jwk" });
  expect(p).not.toBe(q);
});
