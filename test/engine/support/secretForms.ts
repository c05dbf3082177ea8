/** A secret and the name to report it by. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?-----END [A-Z ]*PRIVATE KEY-----/g;

/** Private keys as PEM, and what stands behind `key:`, `token:`, `secret:` in YAML text. */
export function secretsIn(configuration: string): NamedSecret[] {
  const found: NamedSecret[] = [];
  const line = /^\s*(?:- )?"?([\w-]*(?:key|token|secret)[\w-]*)"?:\s*"?([^\s"]{16,})"?\s*$/gim;
  for (const [, name = "", value = ""] of configuration.matchAll(line)) {
    found.push({ name, value });
  }
  for (const [block] of configuration.matchAll(PRIVATE_KEY)) {
    const pem = block.replaceAll(/^ +/gm, "");
    found.push({ name: "private key", value: Buffer.from(pem).toString("base64") });
  }
  return found;
}

/** Whether it is one, and no name: add-ons' manifests name Secrets and the keys of labels. */
export function isSecret({ value }: NamedSecret): boolean {
  return !/^[a-z-]+(?:\.[a-z-]+)*(?:\/[a-z-]+)?$/.test(value);
}

/** How the bytes of a secret may turn up: as they are, base64, hex, and the body of its PEM block. */
export function formsOf(secret: string): string[] {
  const raw = Buffer.from(secret);
  const decoded = Buffer.from(secret, "base64");
  const forms = [secret, raw.toString("base64"), raw.toString("hex"), decoded.toString("hex")];
  const pem = decoded.toString("utf8");
  if (pem.includes("-----BEGIN")) {
    const body = pem.split("\n").filter((part) => part !== "" && !part.startsWith("-----"));
    const der = Buffer.from(body.join(""), "base64");
    // A middle line is enough, and no header that all keys of a kind share.
    forms.push(...body.slice(-2, -1), body.at(-1) ?? "", der.toString("hex"));
  }
  return forms.filter((form) => form.length >= 12);
}
