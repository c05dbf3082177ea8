import { fromBase64, readPrivateKey } from "../../../provider/pki/pem";
import { createServiceAccountKey } from "../../../provider/pki/serviceAccountKey";
import { seededRandomBytes } from "./seededRandomBytes";

test("RSA keys are of 4096 bits in PKCS#1, and differ", async () => {
  const create = () => createServiceAccountKey("rsa4096");
  const keys = await Promise.all([create(), create()]);
  expect(keys[0]).not.toBe(keys[1]);
  expect(fromBase64(keys[0])).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  const key = readPrivateKey(keys[0]);
  expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 4096, publicExponent: 65537n });
});

test("P-256 keys are in SEC 1, and differ", async () => {
  const create = () => createServiceAccountKey("p256");
  const keys = await Promise.all([create(), create()]);
  expect(keys[0]).not.toBe(keys[1]);
  expect(fromBase64(keys[0])).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
  expect(readPrivateKey(keys[0]).asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
});

test.each(["rsa4096", "p256"] as const)("a source determines a key of %s", async (keyType) => {
  const create = (seed: string) => createServiceAccountKey(keyType, seededRandomBytes(seed));
  const [first, again, other] = await Promise.all([create("a"), create("a"), create("b")]);
  expect(first).toBe(again);
  expect(first).not.toBe(other);
});
