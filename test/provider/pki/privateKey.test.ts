import { createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { fromBase64, readPrivateKey } from "../../../provider/pki/pem";
import {
  createKey,
  ed25519KeyOf,
  encodeKey,
  type KeyType,
  createServiceAccountKey,
} from "../../../provider/pki/privateKey";

const keyTypes: readonly KeyType[] = ["ed25519", "p256"];

function signsAndVerifies(key: KeyObject): boolean {
  const text = Buffer.from("a text");
  const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return verify(digest, text, createPublicKey(key), sign(digest, text, key));
}

describe.each(keyTypes)("%s", (keyType) => {
  test("keys sign, and differ", () => {
    const [first, second] = [createKey(keyType), createKey(keyType)];
    expect(signsAndVerifies(first)).toBe(true);
    expect(first.equals(second)).toBe(false);
  });

  test("its PEM is read back as the same key", () => {
    const key = createKey(keyType);
    expect(readPrivateKey(encodeKey(key)).equals(key)).toBe(true);
  });
});

test("Ed25519 keys have Talos' label and size", () => {
  const encoded = encodeKey(createKey("ed25519"));
  expect(encoded).toHaveLength(180);
  expect(fromBase64(encoded)).toMatch(/^-----BEGIN ED25519 PRIVATE KEY-----\n/);
});

test("P-256 keys are SEC 1, with Talos' label and size", () => {
  const key = createKey("p256");
  const encoded = encodeKey(key);
  expect(encoded).toHaveLength(304);
  expect(fromBase64(encoded)).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
  expect(key.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
});

test("a seed determines an Ed25519 key (RFC 8032, section 7.1, test 1)", () => {
  const hex = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
  const { d, x } = ed25519KeyOf(Buffer.from(hex, "hex")).export({ format: "jwk" });
  const toHex = (part = "") => Buffer.from(part, "base64url").toString("hex");
  expect(toHex(d)).toBe(hex);
  expect(toHex(x)).toBe("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
});

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
