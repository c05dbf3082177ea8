import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

/** The user of a Kubernetes API request. */
export interface ClientIdentity {
  readonly name: string;
  readonly groups: readonly string[];
  /** What else its token says of it. Default: nothing. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The service account tokens that an API server accepts. */
export interface TokenTrust {
  readonly keys: readonly KeyObject[];
  /** The issuers of accepted tokens. */
  readonly issuers: readonly string[];
  /** What tokens may be for; one that names nothing is for everything. */
  readonly audiences: readonly string[];
}

/**
 * The public keys of PEM texts, as an API server reads them when it starts: of private keys too, and
 * several from one text. Texts without a key are left out.
 */
export function publicKeysIn(texts: readonly string[]): readonly KeyObject[] {
  const blocks = texts.flatMap((text) => text.match(/-----BEGIN [^]+?-----END [^-]+-----/g) ?? []);
  return blocks.flatMap((block) => {
    try {
      return [createPublicKey(block)];
    } catch {
      return [];
    }
  });
}

/**
 * The user of a service account token. Undefined if none of the keys signed it, if it has expired,
 * if it has another issuer, or if it is for other servers.
 *
 * Source: Kubernetes v1.35, `pkg/serviceaccount/jwt.go` (`AuthenticateToken`; the header names the key
 * by the SHA-256 of its DER encoding).
 */
export function identityOfToken(
  token: string,
  { keys, issuers, audiences }: TokenTrust,
  now: Date,
): ClientIdentity | undefined {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const { kid } = partOfToken(header);
  const { sub, exp, iss, aud } = partOfToken(claims);
  const key = keys.find((each) => idOf(each) === kid);
  const isSigned =
    key !== undefined &&
    verify(
      "sha256",
      Buffer.from(`${header}.${claims}`),
      { key, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(String(sub)) ?? [];
  const isMeant = Array.isArray(aud) ? audiences.some((each) => aud.includes(each)) : true;
  const isValid =
    isSigned &&
    typeof exp === "number" &&
    exp * 1_000 > now.getTime() &&
    issuers.some((each) => each === iss) &&
    isMeant;
  return isValid && namespace !== undefined
    ? {
        name: String(sub),
        groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
      }
    : undefined;
}

function idOf(key: KeyObject): string {
  const der = key.export({ format: "der", type: "spki" });
  return createHash("sha256").update(der).digest("base64url");
}

/** The header or the claims of a token, by their part of its text; empty for other texts. */
export function partOfToken(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}
