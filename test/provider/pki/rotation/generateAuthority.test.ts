import { readCertificate, readPrivateKey } from "../../../../provider/pki/pem";
import { generateAuthority } from "../../../../provider/pki/rotation/generateAuthority";
import { sharedSecrets } from "../sharedSecrets";

describe("generateAuthority", () => {
  it.each([
    ["talosCa", "os"],
    ["kubernetesCa", "k8s"],
    ["etcdCa", "etcd"],
    ["aggregatorCa", "k8saggregator"],
  ] as const)("creates a %s like the cluster's own, with another key", async (authority, place) => {
    const { certs } = await sharedSecrets();
    const [made, own] = [await generateAuthority(authority), certs[place]];
    const [certificate, former] = [readCertificate(made.crt), readCertificate(own.crt)];
    expect(certificate.ca).toBe(true);
    expect(certificate.subject).toBe(former.subject);
    expect(certificate.publicKey.asymmetricKeyType).toBe(former.publicKey.asymmetricKeyType);
    expect(certificate.checkPrivateKey(readPrivateKey(made.key))).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(made.key).not.toBe(own.key);
  });

  it("is valid for ten years of 365 days, as those of a new cluster", async () => {
    const now = new Date("2026-11-23T00:00:00Z");
    const { validTo } = readCertificate((await generateAuthority("talosCa", { now })).crt);
    expect(Date.parse(validTo) - now.getTime()).toBe(87_600 * 3_600_000);
  });
});
