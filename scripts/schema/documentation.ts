import ts from "typescript";

/** A property of the schema: its type, its description, and how programs give it. */
export interface PropertySpec extends Readonly<Record<string, unknown>> {
  readonly description?: string;
  readonly deprecationMessage?: string;
  /** Whether the state encrypts it. */
  readonly secret?: boolean;
}

/** Says in a doc comment that a value is secret. */
const SECRET = /(^|\s)Secret\./;

/** The description of a declaration, its deprecation, and whether it is secret. */
export function documentationOf(symbol: ts.Symbol, checker: ts.TypeChecker): PropertySpec {
  const text = paragraphs(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
  const tags = symbol.getJsDocTags(checker);
  const deprecation = tags
    .filter(({ name }) => name === "deprecated")
    .map((tag) => paragraphs(ts.displayPartsToString(tag.text)))
    .join("\n");
  return {
    ...(text !== "" && { description: text }),
    ...(deprecation !== "" && { deprecationMessage: deprecation }),
    ...(SECRET.test(text) && { secret: true }),
  };
}

/** Lines of a paragraph are one line; a list keeps its lines. */
function paragraphs(text: string): string {
  return text.replaceAll(/([^\n])\n(?!\n|- )\s*/g, "$1 ").trim();
}
