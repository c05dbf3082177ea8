import { fromBase64, readPrivateKey } from "../../../provider/pki/pem";
import { createServiceAccountKey } from "../../../provider/pki/serviceAccountKey";

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
