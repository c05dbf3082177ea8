import { createHash, X509Certificate } from "node:crypto";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { deriveServingCertificate } from "../../../provider/pki/deriveServingCertificate";
import { selfSignedCertificate } from "../../../provider/pki/issueCertificate";
import { fromBase64 } from "../../../provider/pki/pem";
import { ed25519KeyOf } from "../../../provider/pki/privateKey";
import { generateAuthority } from "../../../provider/pki/rotation/generateAuthority";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";

let authority: CertificateAndKey;
beforeAll(async () => {
  const { crt, key } = await selfSignedCertificate({
    commonName: "kubernetes",
    usages: ["serverAuth"],
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2036-01-01T00:00:00Z"),
    keyType: "ed25519",
    identity: { key: ed25519KeyOf(Buffer.alloc(32, 7)), serialNumber: "07" },
  });
  authority = { crt, key };
});

const host = "webhook.kube-system.svc";

describe("deriveServingCertificate", () => {
  it("never changes, because running clusters have it recorded", async () => {
    const text = JSON.stringify(await deriveServingCertificate(authority, [host]));
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      "84d51f7c51126ee4bf21924c4c4141bf8ad31e9478f70f298dc21afa671b3ef7",
    );
  });

  it("follows only from the authority's key and the name", async () => {
    const made = await deriveServingCertificate(authority, [host]);
    expect(await deriveServingCertificate(authority, [host])).toEqual(made);
    const next = await generateAuthority("kubernetesCa");
    expect((await deriveServingCertificate(next, [host])).key).not.toBe(made.key);
    expect((await deriveServingCertificate(authority, [`other.${host}`])).key).not.toBe(made.key);
  });

  it("lets its holders trust the server by name, and ends with its authority", async () => {
    const { crt, key } = await deriveServingCertificate(authority, [host]);
    const certificate = new X509Certificate(fromBase64(crt));
    expect(certificate.subjectAltName).toBe(`DNS:${host}`);
    expect(certificate.validTo).toBe(new X509Certificate(fromBase64(authority.crt)).validTo);
    expect(certificate.ca).toBe(false);
    expect(fromBase64(key)).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    const server = createServer({ cert: fromBase64(crt), key: fromBase64(key) }, (socket) =>
      socket.end(),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const isTrusted = await new Promise<boolean>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, servername: host, ca: fromBase64(crt) };
      const socket = connect(options, () => {
        resolve(socket.authorized);
        socket.destroy();
      }).on("error", reject);
    });
    expect(isTrusted).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });
});
