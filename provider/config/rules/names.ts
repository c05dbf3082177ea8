const NAME_PART = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/**
 * The problem of the key of a Kubernetes label, annotation or taint; undefined if it is valid.
 * Source: "Labels and Selectors", Kubernetes documentation.
 */
export function checkQualifiedName(key: string): string | undefined {
  const parts = key.split("/");
  const name = parts.at(-1) ?? "";
  const prefix = parts.length === 2 ? parts[0] : undefined;
  const fits =
    parts.length <= 2 &&
    name.length <= 63 &&
    NAME_PART.test(name) &&
    (prefix === undefined || (prefix.length <= 253 && SUBDOMAIN.test(prefix)));
  return fits
    ? undefined
    : `${JSON.stringify(key)} is not a name that Kubernetes takes: up to 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit, optionally after a DNS name and "/"`;
}

/** The problem of the value of a Kubernetes label or taint; undefined if it is valid. */
export function checkLabelValue(value: string): string | undefined {
  return value === "" || (value.length <= 63 && NAME_PART.test(value))
    ? undefined
    : `${JSON.stringify(value)} is not a value that Kubernetes takes: up to 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit`;
}

/**
 * Whether a text is the name of an object in Kubernetes: small letters, digits, "-" and ".", starting and
 * ending with a letter or digit. Source: validation.IsDNS1123Subdomain of apimachinery.
 */
export function isObjectName(text: string): boolean {
  return text.length <= 253 && SUBDOMAIN.test(text);
}

/** Whether a text is a DNS name: labels of letters, digits, `-` and `_`, up to 253 characters. */
export function isDnsName(text: string): boolean {
  return text.length <= 253 && /^\w[\w-]{0,62}(?:\.\w[\w-]{0,62})*\.?$/.test(text);
}
