import type { ClientCredentials } from "./clientCredentials";
import { encodeBase64Pem } from "./pem";

/**
 * The same credentials in a third less text, for where they are kept with each machine: of each PEM
 * block its label and the base64 of its DER, as in `CERTIFICATE:MII…`, where a talosconfig has base64
 * of base64. What isn't one PEM block as Talos writes it stays as it is.
 */
export function compactCredentials({ ca, crt, key }: ClientCredentials): ClientCredentials {
  return { ca: compact(ca), crt: compact(crt), key: compact(key) };
}

/** What `compactCredentials` was given. Credentials that are not compact stay as they are. */
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
  // base64 has no colon
  const [label = "", der] = text.split(":");
  return der === undefined ? text : encodeBase64Pem(label, Buffer.from(der, "base64"));
}
