import { createCertificateAuthority } from "../../../provider/pki/certificateAuthority";
import { readPrivateKey } from "../../../provider/pki/pem";
import type { KeyType } from "../../../provider/pki/privateKey";
import { extension, extensionsHex, parseCertificate } from "./certificateForm";
import { verifyChain } from "./openssl";

const notBefore = new Date("2026-03-01T12:00:00.750Z");
const notAfter = new Date("2066-03-01T12:00:00.750Z");
const keyTypes: readonly KeyType[] = ["ed25519", "p256"];

/** A source that gives other bytes at each call, the same ones in each run. */
function countingBytes(): (size: number) => Uint8Array {
  let calls = 0;
  return (size) => new Uint8Array(size).fill(++calls);
}

describe.each(keyTypes)("%s", (keyType) => {
  const create = (organization?: string) =>
    createCertificateAuthority({
      keyType,
      notBefore,
      notAfter,
      randomBytes: countingBytes(),
      ...(organization === undefined ? {} : { organization }),
    });

  test("signs itself, by the key it comes with", async () => {
    const authority = await create("talos");
    const certificate = parseCertificate(authority.crt);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(readPrivateKey(authority.key))).toBe(true);
    verifyChain(authority.crt, authority.crt, "sslserver");
  });

  test("has exactly the extensions Talos gives a CA, in that order", async () => {
    const certificate = parseCertificate((await create("talos")).crt);
    const { authorityKeyUsage, serverAndClient, authority, subjectKeyIdentifier } = extension;
    expect(certificate.ca).toBe(true);
    expect(extensionsHex(certificate)).toMatch(
      new RegExp(
        `^${authorityKeyUsage}${serverAndClient}${authority}${subjectKeyIdentifier}(03){20}30`,
      ),
    );
  });

  test("is named by its organization alone, or by nothing", async () => {
    const named = parseCertificate((await create("talos")).crt);
    expect([named.subject, named.issuer]).toEqual(["O=talos", "O=talos"]);
    const nameless = parseCertificate((await create()).crt);
    expect([nameless.subject || undefined, nameless.issuer || undefined]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("has the serial number drawn and whole seconds, past 2050 too", async () => {
    const certificate = parseCertificate((await create("talos")).crt);
    expect(certificate.serialNumber).toBe("02".repeat(16));
    expect(new Date(certificate.validFrom)).toEqual(new Date("2026-03-01T12:00:00Z"));
    expect(new Date(certificate.validTo)).toEqual(new Date("2066-03-01T12:00:00Z"));
    // RFC 5280, section 4.1.2.5: GeneralizedTime from 2050 on, without fractions of a second.
    expect(certificate.raw.toString("latin1")).toContain("20660301120000Z");
  });
});

test("the same random bytes make the same Ed25519 authority, to the last byte", async () => {
  const create = () =>
    createCertificateAuthority({
      keyType: "ed25519",
      notBefore,
      notAfter,
      organization: "talos",
      randomBytes: countingBytes(),
    });
  expect(await create()).toEqual(await create());
});

test("without a source given, two authorities share neither key, serial number nor identifier", async () => {
  const create = async () =>
    createCertificateAuthority({ keyType: "p256", notBefore, notAfter, organization: "etcd" });
  const [first, second] = [await create(), await create()];
  expect(first.key).not.toBe(second.key);
  const [one, other] = [parseCertificate(first.crt), parseCertificate(second.crt)];
  expect(one.serialNumber).not.toBe(other.serialNumber);
  const identifier = (hex: string) => hex.split(extension.subjectKeyIdentifier)[1]?.slice(0, 40);
  expect(identifier(extensionsHex(one))).not.toBe(identifier(extensionsHex(other)));
});
