import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { partOfToken } from "./serviceAccountToken";

/** Reads a document on the internet, by its URL. Rejects where there is none. */
export type ReadDocument = (url: string) => Promise<string>;

/** What a token's signature is judged by, for each algorithm of its header. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  RS256: "sha256",
  ES256: "sha256",
  ES384: "sha384",
};

/**
 * The public keys of an issuer, which it publishes. They are read when they are first needed, and again for a key
 * that isn't among them, as kube-apiserver does.
 *
 * Source: OpenID Connect Discovery 1.0; go-oidc v3, `NewProvider` and `RemoteKeySet`.
 */
export class IssuerKeys {
  private keys: ReadonlyMap<string, KeyObject> = new Map();

  constructor(
    private readonly issuer: string,
    private readonly read: ReadDocument,
  ) {}

  /** Whether the issuer has signed a token. Rejects if its documents can't be read. */
  async hasSigned(token: string): Promise<boolean> {
    const [header = "", claims = "", signature = ""] = token.split(".");
    const { kid, alg } = partOfToken(header);
    const id = String(kid);
    if (!this.keys.has(id)) {
      this.keys = await this.publishedKeys();
    }
    const [key, digest] = [this.keys.get(id), ALGORITHMS[String(alg)]];
    return (
      key !== undefined &&
      digest !== undefined &&
      verify(
        digest,
        Buffer.from(`${header}.${claims}`),
        { key, dsaEncoding: "ieee-p1363" },
        Buffer.from(signature, "base64url"),
      )
    );
  }

  private async publishedKeys(): Promise<ReadonlyMap<string, KeyObject>> {
    const provider = await this.document(
      `${this.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    );
    if (provider.issuer !== this.issuer) {
      throw new Error(`oidc: issuer did not match the issuer returned by provider`);
    }
    const { keys } = await this.document(String(provider.jwks_uri));
    const list = Array.isArray(keys) ? (keys as readonly JsonWebKey[]) : [];
    return new Map(list.map((key) => [String(key.kid), createPublicKey({ key, format: "jwk" })]));
  }

  private async document(url: string): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse(await this.read(url)) as Record<string, unknown>;
  }
}
