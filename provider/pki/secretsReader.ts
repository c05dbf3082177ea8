import { ConfigError } from "../config/configError";
import { isMapping, type ConfigDocument, type YamlValue } from "../config/machineConfig";
import { valueAt } from "../config/settings/keyPaths";
import { suggest } from "../config/suggestion";
import { decodeDocuments } from "../config/yaml/encode";
import { readCertificate, readPrivateKey } from "./pem";
import type { CertificateAndKey } from "./secretsBundle";
import { SecretsBundleError } from "./secretsBundleError";

/**
 * The placeholder that Talos shows to clients without permission for secrets (siderolabs/crypto
 * v0.6.4, x509.Redacted).
 */
const REDACTED = "******";

/**
 * Reads secrets from a document by their dotted paths, checks each one, and collects the problems.
 * A bad value reads as empty, and `finish` throws all problems at once.
 */
export class SecretsReader {
  /** By path: the first problem of a path is the most helpful one. */
  private readonly problems = new Map<string, string>();

  /** @param now when certificates must still be valid */
  constructor(
    private readonly source: ConfigDocument,
    private readonly now: Date,
  ) {}

  /** @throws SecretsBundleError with all reported problems */
  finish(): void {
    if (this.problems.size > 0) {
      throw new SecretsBundleError(
        [...this.problems].map(([path, message]) => ({ path, message })),
      );
    }
  }

  report(path: string, message: string): void {
    if (!this.problems.has(path)) {
      this.problems.set(path, message);
    }
  }

  /** Whether anything is at a path. */
  has(path: string): boolean {
    return (valueAt(this.source, path.split(".")) ?? "") !== "";
  }

  /** A token in kubeadm's form. */
  token(path: string): string {
    const token = this.text(path);
    if (token !== "" && !/^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token)) {
      this.report(path, "is not a token: 6 characters, a dot and 16 characters, each a-z or 0-9");
    }
    return token;
  }

  /** 32 bytes in URL-safe base64, the alphabet of Talos' cluster ids, or in standard base64. */
  id(path: string): string {
    const id = this.text(path);
    if (id !== "" && !/^(?:[A-Za-z0-9_-]{43}|[A-Za-z0-9+/]{43})=$/.test(id)) {
      this.report(path, "is not a cluster's id: 32 bytes in URL-safe base64, 44 characters");
    }
    return id;
  }

  /** A key of one of the given lengths in bytes, in standard base64. */
  symmetricKey(path: string, lengths: readonly number[]): string {
    const encoded = this.base64(path);
    const length = Buffer.from(encoded, "base64").length;
    if (encoded !== "" && !lengths.includes(length)) {
      this.report(path, `has to be ${lengths.join(" or ")} bytes in base64, these are ${length}`);
    }
    return encoded;
  }

  /** A private key of one of the given types, by Node's names. */
  privateKey(path: string, types: readonly string[]): string {
    const encoded = this.base64(path);
    const key = this.parse(path, encoded, readPrivateKey);
    const type = key?.asymmetricKeyType ?? "";
    if (key !== undefined && !types.includes(type)) {
      this.report(path, `is a key of type "${type}": allowed are ${types.join(", ")}`);
    }
    return encoded;
  }

  /** A CA that can sign now: its certificate at `crt`, its key at `key`. */
  authority(path: string): CertificateAndKey {
    const [crtPath, keyPath] = [`${path}.crt`, `${path}.key`];
    const key = this.privateKey(keyPath, ["ed25519", "ec", "rsa"]);
    const crt = this.base64(crtPath);
    const certificate = this.parse(crtPath, crt, readCertificate);
    if (certificate !== undefined) {
      const end = new Date(certificate.validTo);
      if (!certificate.ca) {
        this.report(crtPath, "is not the certificate of an authority: it may not sign others");
      } else if (end <= this.now) {
        this.report(
          crtPath,
          `expired on ${end.toISOString()}: its signatures are no longer accepted; first replace the cluster's CA ("talosctl rotate-ca")`,
        );
      }
      const privateKey = this.parse(keyPath, key, readPrivateKey);
      if (privateKey !== undefined && !certificate.checkPrivateKey(privateKey)) {
        this.report(keyPath, `is not the key of the certificate at ${crtPath}`);
      }
    }
    return { crt, key };
  }

  /** Reports every key of the document and its mappings that is not part of a given path. */
  allowOnly(paths: readonly string[]): void {
    this.allowOnlyIn(this.source, "", paths);
  }

  private allowOnlyIn(value: YamlValue, prefix: string, paths: readonly string[]): void {
    if (!isMapping(value) || paths.includes("")) {
      return;
    }
    const allowed = new Set(paths.map((path) => path.split(".", 1).join()));
    for (const [key, inner] of Object.entries(value)) {
      if (allowed.has(key)) {
        const below = paths
          .filter((path) => path === key || path.startsWith(`${key}.`))
          .map((path) => path.slice(key.length + 1));
        this.allowOnlyIn(inner, `${prefix}${key}.`, below);
      } else {
        this.reportUnknownKey(key, prefix, allowed);
      }
    }
  }

  private reportUnknownKey(key: string, prefix: string, allowed: ReadonlySet<string>): void {
    // Other texts could be a value, and so a secret, in the place of a key.
    const name = /^[A-Za-z]\w{0,29}$/.test(key) ? key : "(a key that is no word)";
    const near = suggest(key, allowed);
    const advice =
      near === undefined ? `there can be ${[...allowed].join(", ")}` : `did you mean "${near}"?`;
    this.report(`${prefix}${name}`, `is not part of a secrets bundle: ${advice}`);
  }

  /** The standard base64 at a path, in its canonical form. */
  private base64(path: string): string {
    // YAML can break a long text into lines; Talos ignores the breaks too.
    const text = this.text(path).replaceAll(/[\r\n]/g, "");
    if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
      this.report(path, `is not base64: ${text.length} characters that can't be read as such`);
      return "";
    }
    return Buffer.from(text, "base64").toString("base64");
  }

  private parse<T>(path: string, encoded: string, read: (encoded: string) => T): T | undefined {
    if (encoded === "") {
      return undefined;
    }
    try {
      return read(encoded);
    } catch (error) {
      this.report(path, error instanceof Error ? error.message : "can't be read");
      return undefined;
    }
  }

  private text(path: string): string {
    const value = this.value(path);
    if (value === undefined) {
      return "";
    }
    if (typeof value !== "string") {
      const actual = Array.isArray(value) ? "a list" : isMapping(value) ? "a mapping" : "not text";
      this.report(path, `has to be text, this is ${actual}: put a single value in quotes`);
      return "";
    }
    if (value === REDACTED) {
      this.report(
        path,
        "is redacted: read it with a certificate of the role os:admin, which may see secrets",
      );
      return "";
    }
    return value;
  }

  /** The value at a path. If it is missing, the first missing step is reported. */
  private value(path: string): YamlValue | undefined {
    let here: YamlValue = this.source;
    let walked = "";
    for (const key of path.split(".")) {
      if (!isMapping(here)) {
        this.report(walked, "has to be a mapping of keys");
        return undefined;
      }
      walked = walked === "" ? key : `${walked}.${key}`;
      const next: YamlValue = valueAt(here, [key]) ?? "";
      if (next === "") {
        this.report(walked, "is missing");
        return undefined;
      }
      here = next;
    }
    return here;
  }
}

/**
 * The documents of a YAML or JSON text with secrets.
 *
 * @throws SecretsBundleError with the line of everything that is not YAML, without quoting it
 */
export function decodeSecrets(text: string): ConfigDocument[] {
  try {
    return decodeDocuments(text);
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    throw new SecretsBundleError(
      error.problems.map(({ document, message }) => ({ path: document, message })),
    );
  }
}
