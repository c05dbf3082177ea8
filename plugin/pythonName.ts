/** Words that Python keeps for itself. */
const KEYWORDS: ReadonlySet<string> = new Set([
  "and",
  "as",
  "assert",
  "class",
  "def",
  "del",
  "from",
  "global",
  "if",
  "import",
  "in",
  "is",
  "lambda",
  "not",
  "or",
  "pass",
  "raise",
  "return",
  "try",
  "while",
  "with",
  "yield",
]);

/** The name that an SDK for Python gives a property or a function of the schema. */
export function pythonName(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
  return KEYWORDS.has(words) ? `${words}_` : words;
}
