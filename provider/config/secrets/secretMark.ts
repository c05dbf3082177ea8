/** The mark for a secret without a fingerprint. */
export const secretMarker = "«secret»";

/** Creates the mark for a secret: `secretMarker`, or one with a fingerprint. */
export type SecretMark = (secret: string) => string;

/** Marks without a fingerprint. */
export const tellNothing: SecretMark = () => secretMarker;

/** Whether a value is such a mark, and so can be shown. */
export function isSecretMark(value: string): boolean {
  return /^(?:«secret[^«»]*»|\uE000\d+\uE001)$/.test(value);
}

/** A text whose marks don't tell one secret from another. */
export function withPlainMarks(text: string): string {
  return text.replace(/«secret[^«»]{0,100}»/g, secretMarker);
}

/** Whether a value only names where a secret is: `$TOKEN`, `$(TOKEN)`, `${TOKEN}`, `{{ .token }}`. */
export function isReference(value: string): boolean {
  return /^["']?\$(?:[A-Za-z_]\w{0,99}|\([A-Za-z_]\w{0,99}\)|\{[\w.-]{1,100}\})["']?$|^["']?\{\{[^{}]{1,200}\}\}["']?$/.test(
    value,
  );
}

/** Switches are never secret. */
export function isSwitch(value: string): boolean {
  return /^\s*["']?(?:true|false)["']?\s*$/i.test(value);
}

/**
 * Changes a text around its marks, so that a second redaction changes nothing.
 *
 * @param change gets the text with one substitute for each mark, for which `isSecretMark` holds
 */
export function aroundMarks(text: string, change: (text: string) => string): string {
  if (!text.includes("«secret")) {
    return change(text);
  }
  const marks: string[] = [];
  const without = text.replace(/«secret[^«»]{0,100}»/g, (mark) => {
    marks.push(mark);
    return `\uE000${marks.length - 1}\uE001`;
  });
  return change(without).replace(
    /\uE000(\d+)\uE001/g,
    (whole, index: string) => marks[Number(index)] ?? whole,
  );
}
