import type { ClientCredentials } from "./clientCredentials";
import { encodeBase64Pem } from "./pem";

/**
 * The same credentials in a third less text, for the state of each machine: the label and the
 * base64 DER of each PEM block, for example `CERTIFICATE:MII…`. A talosconfig has base64 of base64.
 * Anything other than one PEM block in Talos' form stays unchanged.
 */
export function compactCredentials({ ca, crt, key }: ClientCredentials): ClientCredentials {
  return { ca: compact(ca), crt: compact(crt), key: compact(key) };
}

/** Reverts `compactCredentials`. Credentials that are not compact stay unchanged. */
export function expandCredentials({ ca, crt, key }: ClientCredentials): ClientCredentials {
  return { ca: expand(ca), crt: expand(crt), key: expand(key) };
}

function compact(base64Pem: string): string {
  const pem = Buffer.from(base64Pem, "base64").toString("latin1");
  const [, label = "", lines = ""] = /^-----BEGIN ([A-Z0-9 ]+)-----\n([^-]+)/.exec(pem) ?? [];
  const text = `${label}:${lines.replaceAll("\n", "")}`;
  return expand(text) === base64Pem ? text : base64Pem;
}

function expand(text: string): string {
  // base64 contains no colon.
  const [label = "", der] = text.split(":");
  return der === undefined ? text : encodeBase64Pem(label, Buffer.from(der, "base64"));
}
