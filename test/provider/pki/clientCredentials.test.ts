import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import { createCertificateAuthority } from "../../../provider/pki/certificateAuthority";
import {
  issueClientCredentials,
  ROLES,
  type ClientCredentials,
  type Role,
} from "../../../provider/pki/clientCredentials";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import { fromBase64, nodeKey, readPrivateKey } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { extension, extensionsHex, lifetimeMs, parseCertificate } from "./certificateForm";
import { verifyChain } from "./openssl";

const hourMs = 3_600_000;
const now = new Date(Math.floor(Date.now() / 1000) * 1000 - 1000);
const notAfter = new Date(now.getTime() + 10 * 365 * 24 * hourMs);

function talosAuthority(): Promise<CertificateAndKey> {
  return createCertificateAuthority({
    organization: "talos",
    keyType: "ed25519",
    notBefore: now,
    notAfter,
  });
}

let authority: CertificateAndKey;

beforeAll(async () => {
  authority = await talosAuthority();
});

test("an administrator's credentials equal those of talosctl v1.12.1", async () => {
  const credentials = await issueClientCredentials(authority, {
    roles: ["os:admin"],
    now,
    lifetimeHours: 8760,
  });
  const certificate = parseCertificate(credentials.crt);
  const { leafKeyUsage, client, authorityKeyIdentifier } = extension;
  expect(credentials.ca).toBe(authority.crt);
  expect(credentials.crt.length).toBeGreaterThanOrEqual(604);
  expect(credentials.crt.length).toBeLessThanOrEqual(620);
  expect(credentials.key).toHaveLength(180);
  expect(certificate.subject).toBe("O=os:admin");
  expect(certificate.issuer).toBe("O=talos");
  expect(certificate.publicKey.asymmetricKeyType).toBe("ed25519");
  expect(certificate.checkPrivateKey(readPrivateKey(credentials.key))).toBe(true);
  expect(extensionsHex(certificate)).toMatch(
    new RegExp(`^${leafKeyUsage}${client}${authorityKeyIdentifier}`),
  );
  expect(new Date(certificate.validFrom)).toEqual(now);
  expect(lifetimeMs(certificate)).toBe(365 * 24 * hourMs);
  verifyChain(authority.crt, credentials.crt, "sslclient");
});

test("every role is one organization", async () => {
  const roles: Role[] = [...ROLES, "os:reader"];
  const { crt } = await issueClientCredentials(authority, { roles, now, lifetimeHours: 1 });
  expect(parseCertificate(crt).subject).toBe(
    "O=os:admin + O=os:reader + O=os:operator + O=os:etcd:backup",
  );
});

test("each certificate has its own key", async () => {
  const options = { roles: ["os:reader"] as const, now, lifetimeHours: 1 };
  const issue = () => issueClientCredentials(authority, options);
  expect((await issue()).key).not.toBe((await issue()).key);
});

test("all problems of the options are named at once", async () => {
  const issue = (roles: readonly Role[], lifetimeHours: number) =>
    issueClientCredentials(authority, { roles, now, lifetimeHours });
  await expect(issue([], 0)).rejects.toThrow(
    'no role is given: allowed are "os:admin", "os:operator", "os:reader", "os:etcd:backup"; ' +
      "a lifetime of 0 hours is not valid",
  );
  await expect(issue(["os:root" as Role], Infinity)).rejects.toThrow('"os:root" is no role');
});

/** A server as a machine's API is one: certificate of the CA, takes clients of that CA alone. */
async function withServer(use: (port: number) => Promise<void>): Promise<void> {
  const identity = await issueCertificate(authority, {
    commonName: "node-1",
    ipAddresses: ["127.0.0.1"],
    usages: ["serverAuth"],
    notBefore: now,
    notAfter,
    keyType: "ed25519",
  });
  const server = createServer(
    {
      ca: fromBase64(authority.crt),
      cert: fromBase64(identity.crt),
      key: nodeKey(identity.key),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (socket) => {
      socket.end(JSON.stringify(socket.getPeerCertificate().subject));
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
    await once(server, "close");
  }
}

/** All that a server says to who logs in with the credentials. */
async function ask(port: number, credentials: ClientCredentials): Promise<string> {
  const socket: TLSSocket = connect({
    host: "127.0.0.1",
    port,
    ca: fromBase64(credentials.ca),
    cert: fromBase64(credentials.crt),
    key: nodeKey(credentials.key),
  });
  try {
    let said = "";
    for await (const chunk of socket) {
      said += String(chunk);
    }
    return said;
  } finally {
    socket.destroy();
  }
}

/** What `ask` gets, nothing if the server closed on it: with TLS 1.3 that is an error only at times. */
function hears(port: number, credentials: ClientCredentials): Promise<string> {
  return ask(port, credentials).catch(() => "");
}

describe("mutual TLS with a server of the same CA", () => {
  const options = { roles: ["os:reader", "os:etcd:backup"] as const, now, lifetimeHours: 1 };

  test("logs in, and the server sees the roles", async () => {
    const credentials = await issueClientCredentials(authority, options);
    await withServer(async (port) => {
      const subject: unknown = JSON.parse(await ask(port, credentials));
      expect(subject).toEqual({ O: ["os:reader", "os:etcd:backup"] });
    });
  });

  test("a client of another CA is rejected, by either side", async () => {
    const stranger = await issueClientCredentials(await talosAuthority(), options);
    await withServer(async (port) => {
      await expect(ask(port, stranger)).rejects.toMatchObject({
        code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO|CERT_SIGNATURE/) as string,
      });
      expect(await hears(port, { ...stranger, ca: authority.crt })).toBe("");
    });
  });

  test("a client with an expired certificate is rejected", async () => {
    const past = { ...options, now: new Date(now.getTime() - 2 * hourMs) };
    const expired = await issueClientCredentials(authority, past);
    await withServer(async (port) => {
      expect(await hears(port, expired)).toBe("");
    });
  });
});
