import { createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import * as fc from "fast-check";
import { fromBase64, readPrivateKey } from "../../../provider/pki/pem";
import { createKey, encodeKey, type KeyType } from "../../../provider/pki/privateKey";
import { systemRandomBytes } from "../../../provider/pki/randomBytes";

const keyTypes: readonly KeyType[] = ["ed25519", "p256"];

function signsAndVerifies(key: KeyObject): boolean {
  const text = Buffer.from("a text");
  const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return verify(digest, text, createPublicKey(key), sign(digest, text, key));
}

describe.each(keyTypes)("%s", (keyType) => {
  test("any bytes make a key that signs, and the same bytes the same key", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 40, maxLength: 40 }), (bytes) => {
        const create = () => createKey(keyType, (size) => bytes.subarray(0, size));
        expect(signsAndVerifies(create())).toBe(true);
        expect(create().equals(create())).toBe(true);
      }),
      { examples: [[new Uint8Array(40)], [new Uint8Array(40).fill(255)]] },
    );
  });

  test("other bytes make another key", () => {
    const [first, second] = [1, 2].map((fill) =>
      createKey(keyType, (size) => new Uint8Array(size).fill(fill)),
    );
    expect(first && second && first.equals(second)).toBe(false);
  });

  test("its PEM is read back as the same key", () => {
    const key = createKey(keyType, systemRandomBytes);
    expect(readPrivateKey(encodeKey(key)).equals(key)).toBe(true);
  });
});

test("Ed25519 keys are of the label and size Talos gives them", () => {
  const encoded = encodeKey(createKey("ed25519", systemRandomBytes));
  expect(encoded).toHaveLength(180);
  expect(fromBase64(encoded)).toMatch(/^-----BEGIN ED25519 PRIVATE KEY-----\n/);
});

test("P-256 keys are SEC 1, of the label and size Talos gives them", () => {
  const key = createKey("p256", systemRandomBytes);
  const encoded = encodeKey(key);
  expect(encoded).toHaveLength(304);
  expect(fromBase64(encoded)).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
  expect(key.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
});
