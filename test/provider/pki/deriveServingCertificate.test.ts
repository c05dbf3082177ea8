import { createHash, X509Certificate } from "node:crypto";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { deriveServingCertificate } from "../../../provider/pki/deriveServingCertificate";
import { fromBase64 } from "../../../provider/pki/pem";

const bundle = { cluster: { id: "id", secret: "secret of one cluster" } };
const host = "webhook.kube-system.svc";

describe("deriveServingCertificate", () => {
  it("never changes, because running clusters have it recorded", async () => {
    const text = JSON.stringify(await deriveServingCertificate(bundle, [host]));
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      "498c25fcdb8aa211c5c221828d102f79a1ee752feda6886b331cf971eee5af8f",
    );
  });

  it("follows only from the secrets and the name", async () => {
    const made = await deriveServingCertificate(bundle, [host]);
    expect(await deriveServingCertificate(bundle, [host])).toEqual(made);
    const elsewhere = { cluster: { ...bundle.cluster, secret: "of another" } };
    expect((await deriveServingCertificate(elsewhere, [host])).key).not.toBe(made.key);
    expect((await deriveServingCertificate(bundle, [`other.${host}`])).key).not.toBe(made.key);
  });

  it("lets its holders trust the server by name, and never ends", async () => {
    const { crt, key } = await deriveServingCertificate(bundle, [host]);
    const certificate = new X509Certificate(fromBase64(crt));
    expect(certificate.subjectAltName).toBe(`DNS:${host}`);
    expect(certificate.validTo).toBe("Dec 31 23:59:59 9999 GMT");
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
