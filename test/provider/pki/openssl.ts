import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromBase64 } from "../../../provider/pki/pem";

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks that `ca` signed `crt` (both base64 of PEM), by the openssl command if the machine has it
 * (with its purpose check), else by the OpenSSL inside Node (signature, issuer and dates). Throws if not.
 */
export function verifyChain(ca: string, crt: string, purpose: "sslclient" | "sslserver"): void {
  if (hasOpenssl()) {
    verifyWithCommand(ca, crt, purpose);
    return;
  }
  const [authority, leaf] = [ca, crt].map((pem) => new X509Certificate(fromBase64(pem)));
  if (!authority || !leaf?.checkIssued(authority) || !leaf.verify(authority.publicKey)) {
    throw new Error("the certificate is not issued by this authority");
  }
}

function verifyWithCommand(ca: string, crt: string, purpose: string): void {
  const folder = mkdtempSync(join(tmpdir(), "pki-test-"));
  try {
    const files = { ca: join(folder, "ca.crt"), leaf: join(folder, "leaf.crt") };
    writeFileSync(files.ca, fromBase64(ca));
    writeFileSync(files.leaf, fromBase64(crt));
    // RFC 5280 wants every CA to have a name, Talos' aggregator CA has none: strict refuses it.
    const strict = new X509Certificate(fromBase64(ca)).subject ? ["-x509_strict"] : [];
    const check = [...strict, "-purpose", purpose, "-CAfile", files.ca, files.leaf];
    execFileSync("openssl", ["verify", ...check], { stdio: "pipe" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Has the openssl command, if the machine has it, check that the parts of a private key fit together. */
export function opensslCheckKey(base64Pem: string): void {
  if (hasOpenssl()) {
    const input = fromBase64(base64Pem);
    execFileSync("openssl", ["pkey", "-check", "-noout"], { input, stdio: "pipe" });
  }
}
