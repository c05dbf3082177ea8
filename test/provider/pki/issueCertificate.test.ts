import * as fc from "fast-check";
import { createCertificateAuthority } from "../../../provider/pki/certificateAuthority";
import {
  issueCertificate,
  selfSignedCertificate,
  type CertificateRequest,
} from "../../../provider/pki/issueCertificate";
import { readPrivateKey } from "../../../provider/pki/pem";
import { createKey, type KeyType } from "../../../provider/pki/privateKey";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { extension, extensionsHex, parseCertificate } from "./certificateForm";
import { verifyChain } from "./openssl";

const hourMs = 3_600_000;
const notBefore = new Date(Math.floor(Date.now() / 1000) * 1000 - hourMs);
const notAfter = new Date(notBefore.getTime() + 24 * hourMs);

function authority(keyType: KeyType, organization?: string): Promise<CertificateAndKey> {
  return createCertificateAuthority({
    keyType,
    notBefore,
    notAfter,
    ...(organization === undefined ? {} : { organization }),
  });
}

function request(changes: Partial<CertificateRequest> = {}): CertificateRequest {
  return { usages: ["clientAuth"], notBefore, notAfter, keyType: "ed25519", ...changes };
}

describe.each<[string, KeyType, string?]>([
  ["an Ed25519 CA", "ed25519", "talos"],
  ["a P-256 CA", "p256", "kubernetes"],
  ["a CA without a name", "p256"],
])("%s", (_name, caKeyType, organization) => {
  test.each<KeyType>(["ed25519", "p256"])(
    "issues %s certificates that openssl verifies",
    async (keyType) => {
      const ca = await authority(caKeyType, organization);
      const server = await issueCertificate(
        ca,
        request({ keyType, usages: ["serverAuth"], commonName: "node-1" }),
      );
      const client = await issueCertificate(ca, request({ keyType, commonName: "someone" }));
      verifyChain(ca.crt, server.crt, "sslserver");
      verifyChain(ca.crt, client.crt, "sslclient");
      const certificate = parseCertificate(client.crt);
      expect(certificate.checkPrivateKey(readPrivateKey(client.key))).toBe(true);
      expect(certificate.ca).toBe(false);
      expect(() => {
        verifyChain(server.crt, client.crt, "sslclient");
      }).toThrow();
    },
  );
});

test("has the requested usages, digital signature and the CA's identifier, and nothing else", async () => {
  const ca = await authority("ed25519", "talos");
  const identifier = extensionsHex(parseCertificate(ca.crt))
    .split(extension.subjectKeyIdentifier)[1]
    ?.slice(0, 40);
  const client = parseCertificate((await issueCertificate(ca, request())).crt);
  const { leafKeyUsage, client: clientUsage, authorityKeyIdentifier } = extension;
  const expected = `${leafKeyUsage}${clientUsage}${authorityKeyIdentifier}${identifier ?? ""}3005`;
  expect(extensionsHex(client).slice(0, expected.length)).toBe(expected);
  const both = request({ usages: ["serverAuth", "clientAuth"] });
  const peer = parseCertificate((await issueCertificate(ca, both)).crt);
  expect(extensionsHex(peer)).toContain(extension.serverAndClient);
});

test("names its holder: organizations in one relative name, then the common name", async () => {
  const ca = await authority("p256", "kubernetes");
  const names = request({
    organizations: ["system:nodes", "a", "b+c, #"],
    commonName: "system:node:ä",
  });
  const certificate = parseCertificate((await issueCertificate(ca, names)).crt);
  expect(certificate.subject).toBe("O=a + O=b\\+c\\, # + O=system:nodes\nCN=system:node:ä");
  expect(certificate.issuer).toBe("O=kubernetes");
});

test("is valid for every given name and address, IPv6 in any spelling", async () => {
  const ca = await authority("ed25519", "talos");
  const names = request({
    commonName: "node-1",
    usages: ["serverAuth"],
    dnsNames: ["node-1.example", "*.eu.example"],
    ipAddresses: ["10.0.0.9", "fd00::9", "2001:DB8:0:0:1::1"],
  });
  const certificate = parseCertificate((await issueCertificate(ca, names)).crt);
  for (const host of ["node-1.example", "x.eu.example"]) {
    expect(certificate.checkHost(host)).toBeDefined();
  }
  for (const address of ["10.0.0.9", "fd00::9", "2001:db8::1:0:0:1"]) {
    expect(certificate.checkIP(address)).toBeDefined();
  }
  expect(certificate.checkHost("other.example")).toBeUndefined();
  expect(certificate.checkIP("10.0.0.10")).toBeUndefined();
});

test("alternative names are critical exactly if nothing else names the holder", async () => {
  const ca = await authority("ed25519", "talos");
  const nameless = await issueCertificate(ca, request({ ipAddresses: ["10.0.0.9"] }));
  const named = await issueCertificate(ca, request({ ipAddresses: ["10.0.0.9"], commonName: "a" }));
  expect(extensionsHex(parseCertificate(nameless.crt))).toContain("0603551d110101ff");
  expect(extensionsHex(parseCertificate(named.crt))).toContain("0603551d1104");
});

test("a given serial number is encoded as a positive number of the shortest form", async () => {
  const ca = await authority("ed25519", "talos");
  const key = createKey("ed25519");
  const serials = fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .filter((all) => all.some(Boolean));
  await fc.assert(
    fc.asyncProperty(serials, async (serial) => {
      const serialNumber = Buffer.from(serial).toString("hex");
      const identity = { key, serialNumber };
      const { crt } = await issueCertificate(ca, request({ identity }));
      const hex = serialNumber.replace(/^(00)+/, "");
      const content = `${/^[89a-f]/.test(hex) ? "00" : ""}${hex}`;
      const length = (content.length / 2).toString(16).padStart(2, "0");
      expect(parseCertificate(crt).raw.toString("hex")).toContain(
        `a00302010202${length}${content}30`,
      );
    }),
    { examples: [[new Uint8Array(16).fill(255)], [new Uint8Array(16).fill(1, 4)]], numRuns: 40 },
  );
});

test("the same identity and an Ed25519 CA make the same certificate", async () => {
  const ca = await authority("ed25519", "talos");
  const fixed = request({ identity: { key: createKey("ed25519"), serialNumber: "07" } });
  expect(await issueCertificate(ca, fixed)).toEqual(await issueCertificate(ca, fixed));
});

test("a self-signed certificate is its own issuer and no CA", async () => {
  const maintenance = await selfSignedCertificate(
    request({ commonName: "maintenance", usages: ["serverAuth"], ipAddresses: ["127.0.0.1"] }),
  );
  const certificate = parseCertificate(maintenance.crt);
  expect(certificate.issuer).toBe(certificate.subject);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(readPrivateKey(maintenance.key))).toBe(true);
  expect(certificate.ca).toBe(false);
  expect(extensionsHex(certificate)).not.toContain("0603551d23");
});

test("all problems of a request are named at once", async () => {
  const ca = await authority("ed25519", "talos");
  const bad = request({
    usages: [],
    notAfter: notBefore,
    ipAddresses: ["10.0.0.256", "fe80::1%eth0", "10.0.0.1"],
    dnsNames: ["ä.example", "a.example"],
  });
  const problems = [
    "no usage is given",
    "is not later than notBefore",
    '"10.0.0.256" is no IPv4 or IPv6 address',
    '"fe80::1%eth0" is no IPv4 or IPv6 address',
    'DNS name "ä.example" is not in ASCII',
  ];
  for (const issue of [issueCertificate(ca, bad), selfSignedCertificate(bad)]) {
    const error: unknown = await issue.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    for (const problem of problems) {
      expect(String(error)).toContain(problem);
    }
    expect(String(error)).not.toContain('"10.0.0.1"');
  }
  const invalid = request({ notAfter: new Date(NaN) });
  await expect(issueCertificate(ca, invalid)).rejects.toThrow("have to be valid dates");
});

test("a CA with another key, or an unreadable one, is rejected", async () => {
  const [ca, other] = [await authority("ed25519", "talos"), await authority("ed25519", "talos")];
  await expect(issueCertificate({ crt: ca.crt, key: other.key }, request())).rejects.toThrow(
    'the CA\'s key is not the key of its certificate (subject "O=talos"',
  );
  await expect(issueCertificate({ crt: ca.key, key: ca.key }, request())).rejects.toThrow(
    "holds no X.509 certificate",
  );
});
