const PEM = "-----BEGIN ";

/**
 * PEM in base64, as the fields of the machine configuration proper have it. What isn't PEM stays as it
 * is: the mark of a secret in an outline is the same for both forms.
 */
export function base64OfPem(text: string): string {
  return text.startsWith(PEM) ? Buffer.from(text).toString("base64") : text;
}

/** PEM as text, as documents have it. The opposite of `base64OfPem`. */
export function pemOfBase64(text: string): string {
  const plain = Buffer.from(text, "base64").toString("utf8");
  return plain.startsWith(PEM) ? plain : text;
}

/**
 * Several certificates in one field, in base64; in an outline, their fingerprints as it lists those of
 * such a field.
 */
export function joinedPem(certificates: readonly string[]): string {
  const plain = certificates.map(pemOfBase64);
  return plain.every((text) => text.startsWith(PEM))
    ? Buffer.from(plain.map((text) => `${text.trimEnd()}\n`).join("")).toString("base64")
    : certificates.join(", ");
}
