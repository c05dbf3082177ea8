import { generateKeyPairSync } from "node:crypto";
import * as fc from "fast-check";
import {
  encodeBase64Pem,
  fromBase64,
  nodeKey,
  readCertificate,
  readPrivateKey,
  toBase64,
} from "../../../provider/pki/pem";

const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 });

test("a block has lines of at most 64 characters, each with a line feed, and the given bytes", () => {
  fc.assert(
    fc.property(bytes, (der) => {
      const pem = fromBase64(encodeBase64Pem("CERTIFICATE", der));
      expect(pem).toMatch(/^-----BEGIN CERTIFICATE-----\n[\s\S]+\n-----END CERTIFICATE-----\n$/);
      const body = pem.split("\n").slice(1, -2);
      expect(body.slice(0, -1).every((line) => line.length === 64)).toBe(true);
      expect(Buffer.from(body.join(""), "base64")).toEqual(Buffer.from(der));
    }),
  );
});

test("a key with Talos' label for Ed25519 is rewritten to one that Node reads as the same key", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const talos = encodeBase64Pem(
    "ED25519 PRIVATE KEY",
    privateKey.export({ format: "der", type: "pkcs8" }),
  );
  expect(nodeKey(talos)).toBe(privateKey.export({ format: "pem", type: "pkcs8" }));
  expect(readPrivateKey(talos).equals(privateKey)).toBe(true);
});

test("a key with a label that Node knows is kept", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const pem = privateKey.export({ format: "pem", type: "sec1" }).toString();
  expect(nodeKey(toBase64(pem))).toBe(pem);
});

test("a text that is not base64 of PEM is rejected without being quoted", () => {
  for (const value of ["", "hunter2hunter2", toBase64("hunter2"), "-----BEGIN PRIVATE KEY-----"]) {
    const read = () => nodeKey(value);
    expect(read).toThrow(`got ${value.length} characters that are not`);
    expect(read).not.toThrow("hunter2");
  }
});

test("a block without a key or certificate is rejected, named by its label", () => {
  const broken = encodeBase64Pem("ED25519 PRIVATE KEY", Buffer.from("not a key at all"));
  const content = Buffer.from("not a key at all").toString("base64");
  expect(() => readPrivateKey(broken)).toThrow('"PRIVATE KEY" holds no private key');
  expect(() => readCertificate(broken)).toThrow('"ED25519 PRIVATE KEY" holds no X.509 certificate');
  expect(() => readPrivateKey(broken)).not.toThrow(content);
  expect(() => readCertificate(broken)).not.toThrow(content);
});
