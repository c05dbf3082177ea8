import { createCertificateAuthority } from "../../../provider/pki/certificateAuthority";
import { readPrivateKey } from "../../../provider/pki/pem";
import type { KeyType } from "../../../provider/pki/privateKey";
import { extension, extensionsHex, parseCertificate } from "./certificateForm";
import { verifyChain } from "./openssl";

const notBefore = new Date("2026-03-01T12:00:00.750Z");
const notAfter = new Date("2066-03-01T12:00:00.750Z");
const keyTypes: readonly KeyType[] = ["ed25519", "p256"];

describe.each(keyTypes)("%s", (keyType) => {
  const create = (organization?: string) =>
    createCertificateAuthority({
      keyType,
      notBefore,
      notAfter,
      ...(organization === undefined ? {} : { organization }),
    });

  test("is self-signed with its own key", async () => {
    const authority = await create("talos");
    const certificate = parseCertificate(authority.crt);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(readPrivateKey(authority.key))).toBe(true);
    verifyChain(authority.crt, authority.crt, "sslserver");
  });

  test("has exactly Talos' extensions of a CA, in order", async () => {
    const certificate = parseCertificate((await create("talos")).crt);
    const { authorityKeyUsage, serverAndClient, authority, subjectKeyIdentifier } = extension;
    expect(certificate.ca).toBe(true);
    expect(extensionsHex(certificate)).toMatch(
      new RegExp(
        `^${authorityKeyUsage}${serverAndClient}${authority}${subjectKeyIdentifier}[0-9a-f]{40}30`,
      ),
    );
  });

  test("is named only by its organization, or not at all", async () => {
    const named = parseCertificate((await create("talos")).crt);
    expect([named.subject, named.issuer]).toEqual(["O=talos", "O=talos"]);
    const nameless = parseCertificate((await create()).crt);
    expect([nameless.subject || undefined, nameless.issuer || undefined]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("has a serial number of 128 bits and whole seconds, also after 2050", async () => {
    const certificate = parseCertificate((await create("talos")).crt);
    // Leading zeros are not written.
    expect(certificate.serialNumber).toMatch(/^[0-9A-F]{20,32}$/);
    expect(new Date(certificate.validFrom)).toEqual(new Date("2026-03-01T12:00:00Z"));
    expect(new Date(certificate.validTo)).toEqual(new Date("2066-03-01T12:00:00Z"));
    // RFC 5280, section 4.1.2.5: GeneralizedTime from 2050 on, without fractions of a second.
    expect(certificate.raw.toString("latin1")).toContain("20660301120000Z");
  });
});

test("two CAs share neither key, serial number nor identifier", async () => {
  const create = async () =>
    createCertificateAuthority({ keyType: "p256", notBefore, notAfter, organization: "etcd" });
  const [first, second] = [await create(), await create()];
  expect(first.key).not.toBe(second.key);
  const [one, other] = [parseCertificate(first.crt), parseCertificate(second.crt)];
  expect(one.serialNumber).not.toBe(other.serialNumber);
  const identifier = (hex: string) => hex.split(extension.subjectKeyIdentifier)[1]?.slice(0, 40);
  expect(identifier(extensionsHex(one))).not.toBe(identifier(extensionsHex(other)));
});
