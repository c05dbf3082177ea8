/**
 * Talos' order of the keys of a free mapping: by letter, with numbers by value, so `disk2` comes
 * before `disk10`. Source: go.yaml.in/yaml v4, sorter.go.
 */
export function compareKeys(left: string, right: string): number {
  const a = characters(left);
  const b = characters(right);
  const shared = Math.min(a.length, b.length);
  let afterDigit = false;
  for (let index = 0; index < shared; index++) {
    const charA = a[index] ?? "";
    const charB = b[index] ?? "";
    if (charA === charB) {
      afterDigit = isDigit(charA);
      continue;
    }
    const letterA = isLetter(charA);
    const letterB = isLetter(charB);
    if (letterA && letterB) {
      return compareCodes(charA, charB);
    }
    if (letterA || letterB) {
      return letterA === afterDigit ? -1 : 1;
    }
    return compareNumbers(a, b, index) || compareCodes(charA, charB);
  }
  return a.length - b.length;
}

/** The characters of a text, not its UTF-16 code units. */
type Characters = ArrayLike<string>;

function characters(text: string): Characters {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}

/** Compares the numbers that start at `index` in two keys; the keys are equal before it. */
function compareNumbers(a: Characters, b: Characters, index: number): number {
  // A zero counts only inside a number.
  const lead = a[index] === "0" || b[index] === "0" ? leadBefore(a, index) : "";
  const numberA = digitsFrom(a, index);
  const numberB = digitsFrom(b, index);
  const valueA = BigInt(`${lead}${numberA}` || "0");
  const valueB = BigInt(`${lead}${numberB}` || "0");
  if (valueA !== valueB) {
    return valueA < valueB ? -1 : 1;
  }
  return numberA.length - numberB.length;
}

function leadBefore(chars: Characters, index: number): string {
  for (let before = index - 1; before >= 0 && isDigit(chars[before] ?? ""); before--) {
    if (chars[before] !== "0") {
      return "1";
    }
  }
  return "";
}

function digitsFrom(chars: Characters, index: number): string {
  let digits = "";
  for (let at = index; isDigit(chars[at] ?? ""); at++) {
    digits += chars[at] ?? "";
  }
  return digits;
}

function compareCodes(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}

function isDigit(char: string): boolean {
  return /^[0-9]$/.test(char);
}

function isLetter(char: string): boolean {
  return /^\p{L}$/u.test(char);
}
