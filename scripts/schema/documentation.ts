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
  const text = textOf(symbol, checker);
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

/**
 * The same of a property. One without a comment has that of the property which its interface refers
 * to: "see `ControlPlaneArgs`".
 *
 * @param named finds a declaration by its name
 */
export function documentationOfProperty(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
  named: (name: string) => ts.Symbol | undefined,
): PropertySpec {
  const own = documentationOf(symbol, checker);
  const parent = symbol.declarations?.[0]?.parent;
  const owner =
    parent && ts.isInterfaceDeclaration(parent) && checker.getSymbolAtLocation(parent.name);
  if (own.description !== undefined || !owner) {
    return own;
  }
  const [, name = ""] = /\bsee `(\w+)`/.exec(textOf(owner, checker)) ?? [];
  const other = named(name);
  const property = other && checker.getDeclaredTypeOfSymbol(other).getProperty(symbol.getName());
  return property === undefined ? own : { ...documentationOf(property, checker), ...own };
}

function textOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return paragraphs(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
}

/** Lines of a paragraph are one line; a list keeps its lines. */
function paragraphs(text: string): string {
  return text.replaceAll(/([^\n])\n(?!\n|- )\s*/g, "$1 ").trim();
}
