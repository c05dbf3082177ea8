import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import { toBase64 } from "../../../provider/pki/pem";
import { createKey } from "../../../provider/pki/privateKey";
import { distinguishedName, signCertificate } from "../../../provider/pki/signCertificate";
import { parseCertificate } from "./certificateForm";

const notBefore = new Date();
const notAfter = new Date(notBefore.getTime() + 3_600_000);

function sign(key: KeyObject, signingKey: KeyObject): Promise<string> {
  const name = distinguishedName(["kubernetes"], undefined);
  const parts = { subject: name, issuer: name, serialNumber: "01", extensions: [] };
  return signCertificate({ ...parts, notBefore, notAfter, key, signingKey });
}

test("a CA with an RSA key, as of a kubeadm cluster, can issue certificates", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const crt = await sign(privateKey, privateKey);
  const key = toBase64(privateKey.export({ format: "pem", type: "pkcs1" }).toString());
  const leaf = await issueCertificate(
    { crt, key },
    { usages: ["clientAuth"], notBefore, notAfter, keyType: "p256" },
  );
  const authority = parseCertificate(crt);
  expect(parseCertificate(leaf.crt).checkIssued(authority)).toBe(true);
  expect(parseCertificate(leaf.crt).verify(authority.publicKey)).toBe(true);
});

test("a key of another kind is rejected, with the allowed kinds", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "secp384r1" });
  await expect(sign(createKey("p256"), privateKey)).rejects.toThrow(
    'a CA key of type "ec secp384r1"; allowed are Ed25519, ECDSA on P-256 and RSA',
  );
});
