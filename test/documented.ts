import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..");

/** What differs from run to run, and what stands for it in a comparison. */
const differing: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<time>"],
  [/\S+\/etcd\.snapshot/g, "<file>"],
  [/\bip-[\d-]+\d/g, "<node>"],
  [/\b(i|vol)-[0-9a-f]{8,}/g, "<id>"],
  [/^ *(error: )?/, "$1"],
  [/\b(production|sandbox|local|c)-(?=control-plane|apps)/g, "<stack>-"],
];

/** Expects a page of docs/ to show lines that a program has printed, one after the other. */
export function expectDocumented(page: string, printed: string): void {
  expect(normalised(readPage(page))).toContain(normalised(printed.trimEnd()));
}

/** The blocks on a page that show what was printed: those without a language. */
export function outputsOn(page: string): readonly string[] {
  const blocks = readPage(page).matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm);
  return [...blocks].flatMap(([, language, text = ""]) =>
    language === "" || language === "text" ? [text] : [],
  );
}

/** The text without what differs from run to run. */
export function normalised(text: string): string {
  return text
    .split("\n")
    .map((line) => differing.reduce((left, [found, word]) => left.replace(found, word), line))
    .join("\n");
}

function readPage(page: string): string {
  return readFileSync(join(root, "docs", page), "utf8");
}
