interface Token {
  readonly type: "value" | "operator" | "prefix" | "open" | "close" | "punctuation";
  readonly text: string;
}

const TOKEN_PATTERN =
  /\s+|\/\/[^\n]*|(?<value>0[xX][0-9a-fA-F]+[uU]?|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?[uU]?|\.\d+(?:[eE][-+]?\d+)?|(?:[rRbB]{1,2})?(?:"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|[A-Za-z_]\w*)|(?<operator>&&|\|\||==|!=|<=|>=|[<>+*/%?])|(?<open>[([{])|(?<close>[)\]}])|(?<punctuation>[-!.,:])/y;

const closing = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/**
 * The syntax error of a CEL expression; undefined without one. It checks only tokens, brackets and
 * operators; the machine checks the types. An expression that Talos accepts is never refused.
 *
 * Source: the grammar in the language definition of github.com/google/cel-spec.
 */
export function checkCel(expression: string): string | undefined {
  const tokens = readTokens(expression);
  return typeof tokens === "string" ? tokens : checkTokens(tokens);
}

/** Keywords of CEL that look like names. */
const words = new Set([
  "true",
  "false",
  "null",
  "bool",
  "bytes",
  "double",
  "dyn",
  "int",
  "list",
  "map",
  "null_type",
  "string",
  "type",
  "uint",
  "google",
  "optional",
]);

/**
 * The free variables of an expression: without functions, fields, and the variables of macros such
 * as `items.all(item, …)`. Empty for an unreadable expression.
 */
export function celVariables(expression: string): string[] {
  const tokens = readTokens(expression);
  return typeof tokens === "string"
    ? []
    : [...new Set(variablesIn(tokens).map((index) => tokens[index]?.text ?? ""))];
}

/**
 * The fields that an expression reads of its free variables, each with the variable first: `user.extra.a` is
 * `["user", "extra", "a"]`. Without those of other values, such as of items. Empty for an unreadable
 * expression.
 */
export function celFields(expression: string): string[][] {
  const tokens = readTokens(expression);
  return typeof tokens === "string"
    ? []
    : variablesIn(tokens).map((index) => fieldsAfter(tokens, index));
}

function fieldsAfter(tokens: readonly Token[], index: number): string[] {
  const { text = "" } = tokens[index] ?? {};
  const dot = tokens[index + 1];
  const next = tokens[index + 2]?.type === "prefix" ? index + 3 : index + 2;
  const isChained =
    dot?.text === "." && tokens[next]?.type === "value" && tokens[next + 1]?.text !== "(";
  return isChained ? [text, ...fieldsAfter(tokens, next)] : [text];
}

/** Where the free variables are. */
function variablesIn(tokens: readonly Token[]): readonly number[] {
  const names = tokens.flatMap(({ type, text }, index) =>
    type === "value" &&
    /^[A-Za-z_]/.test(text) &&
    /^\w+$/.test(text) &&
    !words.has(text) &&
    !isField(tokens, index) &&
    !["(", "{", ":"].includes(tokens[index + 1]?.text ?? "")
      ? [index]
      : [],
  );
  const own = new Set(
    tokens
      .filter(
        (_, index) =>
          tokens[index - 1]?.text === "(" &&
          tokens[index - 3]?.text === "." &&
          tokens[index + 1]?.text === ",",
      )
      .map(({ text }) => text),
  );
  return names.filter((index) => !own.has(tokens[index]?.text ?? ""));
}

/** Whether a name is that of a field: `claims.email`, or of one that may be missing: `claims.?email`. */
function isField(tokens: readonly Token[], index: number): boolean {
  const [before, previous] = [tokens[index - 2], tokens[index - 1]];
  return previous?.text === "." || (previous?.type === "prefix" && before?.text === ".");
}

/** The tokens of an expression, or the error of one. */
function readTokens(expression: string): Token[] | string {
  const tokens: Token[] = [];
  TOKEN_PATTERN.lastIndex = 0;
  while (TOKEN_PATTERN.lastIndex < expression.length) {
    const at = TOKEN_PATTERN.lastIndex;
    const groups = TOKEN_PATTERN.exec(expression)?.groups;
    if (groups === undefined) {
      return `${JSON.stringify(expression[at])} can't be there`;
    }
    const found = Object.entries(groups).find(
      ([, text]) => (text as string | undefined) !== undefined,
    );
    if (found !== undefined) {
      tokens.push(classify(found[0], found[1], tokens.at(-1)));
    }
  }
  return tokens;
}

function classify(group: string, text: string, previous: Token | undefined): Token {
  if (text === "-" || text === "!") {
    const binary = text === "-" && (previous?.type === "value" || previous?.type === "close");
    return { type: binary ? "operator" : "prefix", text };
  }
  // What may be missing: `claims.?email`, `groups[?name]`, `{?key: value}`.
  if (text === "?" && [".", "[", "{", ","].includes(previous?.text ?? "")) {
    return { type: "prefix", text };
  }
  if (text === "in") {
    return { type: "operator", text };
  }
  return { type: group as Token["type"], text };
}

function checkTokens(tokens: readonly Token[]): string | undefined {
  const brackets: string[] = [];
  let previous: Token | undefined;
  for (const token of tokens) {
    const problem = checkNeighbours(previous, token);
    if (problem !== undefined) {
      return problem;
    }
    if (token.type === "open") {
      brackets.push(closing.get(token.text) ?? "");
    } else if (token.type === "close" && brackets.pop() !== token.text) {
      return `"${token.text}" closes nothing`;
    }
    previous = token;
  }
  if (previous === undefined) {
    return "it is empty";
  }
  if (brackets.length > 0) {
    return `"${brackets.at(-1) ?? ""}" is missing`;
  }
  return endsOperand(previous) ? undefined : `something is missing after "${previous.text}"`;
}

function checkNeighbours(previous: Token | undefined, token: Token): string | undefined {
  const operandBefore = previous !== undefined && endsOperand(previous);
  if (token.type === "value" && operandBefore) {
    return `an operator is missing before "${token.text}"`;
  }
  if (token.type === "operator" && !operandBefore) {
    return `something is missing before "${token.text}"`;
  }
  if (token.type === "close" && previous?.type === "operator") {
    return `something is missing after "${previous.text}"`;
  }
  return undefined;
}

function endsOperand(token: Token): boolean {
  return token.type === "value" || token.type === "close";
}
