/** A value of an expression: what JSON has, and optional values. */
export type CelValue = null | boolean | number | string | readonly CelValue[] | CelMap | Optional;

/** A map with texts as keys. */
export interface CelMap {
  readonly [key: string]: CelValue;
}

/** An optional value, which may be none. */
class Optional {
  constructor(readonly value: CelValue | undefined) {}
}

type Variables = Readonly<Record<string, CelValue>>;
type Evaluate = (variables: Variables) => CelValue;

/**
 * An expression of the Common Expression Language, ready to be evaluated: texts, numbers, lists, maps, fields and
 * entries, also optional ones, `!`, `&&`, `||`, `==`, `!=`, `in`, and the functions below. It is what people write
 * about claims, a part of the language.
 *
 * Source: the language definition of github.com/google/cel-spec; cel-go v0.26, optional types.
 *
 * @throws Error for what it can't read; the expression throws one where the language has an error
 */
export function compileCel(expression: string): (variables: Variables) => CelValue {
  const reader = new Reader(expression);
  const evaluate = reader.either();
  reader.end();
  return evaluate;
}

const TOKEN = /\s*("(?:\\.|[^"\\])*"|\d+|[A-Za-z_]\w*|&&|\|\||==|!=|[![\]{}().,:?])/y;

class Reader {
  private readonly tokens: readonly string[];
  private next = 0;

  constructor(private readonly text: string) {
    this.tokens = tokensOf(text);
  }

  either(): Evaluate {
    return this.chain(() => this.both(), { "||": (one, other) => truth(one()) || truth(other()) });
  }

  end(): void {
    if (this.next < this.tokens.length) {
      throw this.unread();
    }
  }

  private both(): Evaluate {
    return this.chain(() => this.relation(), {
      "&&": (one, other) => truth(one()) && truth(other()),
    });
  }

  private relation(): Evaluate {
    return this.chain(() => this.unary(), {
      "==": (one, other) => isSame(one(), other()),
      "!=": (one, other) => !isSame(one(), other()),
      in: (one, other) => isIn(one(), other()),
    });
  }

  private chain(
    part: () => Evaluate,
    operators: Readonly<Record<string, (one: () => CelValue, other: () => CelValue) => CelValue>>,
  ): Evaluate {
    let first = part();
    for (;;) {
      const [, operator] =
        Object.entries(operators).find(([name]) => this.tokens[this.next] === name) ?? [];
      if (operator === undefined) {
        return first;
      }
      this.next += 1;
      const [one, other] = [first, part()];
      first = (variables) =>
        operator(
          () => one(variables),
          () => other(variables),
        );
    }
  }

  private unary(): Evaluate {
    if (!this.takes("!")) {
      return this.member();
    }
    const inner = this.unary();
    return (variables) => !truth(inner(variables));
  }

  private member(): Evaluate {
    let value = this.primary();
    for (;;) {
      const before = value;
      if (this.takes("[")) {
        const isOptional = this.takes("?");
        const key = this.either();
        this.expect("]");
        value = (variables) => entry(before(variables), key(variables), isOptional);
      } else if (this.takes(".")) {
        const isOptional = this.takes("?");
        const name = this.take();
        value = this.takes("(")
          ? this.call(before, name)
          : (variables) => entry(before(variables), name, isOptional);
      } else {
        return value;
      }
    }
  }

  private call(subject: Evaluate, name: string): Evaluate {
    if (name === "all" || name === "exists") {
      const variable = this.take();
      this.expect(",");
      const holds = this.either();
      this.expect(")");
      return (variables) => {
        const items = listOf(subject(variables));
        const isTrue = (item: CelValue) => truth(holds({ ...variables, [variable]: item }));
        return name === "all" ? items.every(isTrue) : items.some(isTrue);
      };
    }
    const run = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (run === undefined) {
      throw new Error(`the emulator doesn't know the function ${name} of CEL`);
    }
    const parameters = this.list(")");
    return (variables) =>
      run(
        subject(variables),
        parameters.map((each) => each(variables)),
      );
  }

  private primary(): Evaluate {
    if (this.takes("(")) {
      const inner = this.either();
      this.expect(")");
      return inner;
    }
    if (this.takes("[")) {
      const items = this.list("]");
      return (variables) => items.map((each) => each(variables));
    }
    if (this.takes("{")) {
      return this.map();
    }
    const token = this.take();
    if (token.startsWith('"') || /^\d/.test(token)) {
      const literal = JSON.parse(token) as CelValue;
      return () => literal;
    }
    if (["true", "false", "null"].includes(token)) {
      const literal = JSON.parse(token) as CelValue;
      return () => literal;
    }
    if (!/^\w+$/.test(token)) {
      throw this.unread();
    }
    return (variables) => {
      const value = variables[token];
      if (value === undefined) {
        throw new Error(`undeclared reference to '${token}'`);
      }
      return value;
    };
  }

  private map(): Evaluate {
    const entries: (readonly [Evaluate, Evaluate])[] = [];
    while (!this.takes("}")) {
      const key = this.either();
      this.expect(":");
      entries.push([key, this.either()]);
      if (!this.takes(",")) {
        this.expect("}");
        break;
      }
    }
    return (variables) =>
      Object.fromEntries(entries.map(([key, value]) => [textOf(key(variables)), value(variables)]));
  }

  private list(end: string): readonly Evaluate[] {
    const items: Evaluate[] = [];
    while (!this.takes(end)) {
      items.push(this.either());
      if (!this.takes(",")) {
        this.expect(end);
        break;
      }
    }
    return items;
  }

  private takes(token: string): boolean {
    const isThere = this.tokens[this.next] === token;
    this.next += isThere ? 1 : 0;
    return isThere;
  }

  private expect(token: string): void {
    if (!this.takes(token)) {
      throw this.unread();
    }
  }

  private take(): string {
    const token = this.tokens[this.next];
    if (token === undefined) {
      throw this.unread();
    }
    this.next += 1;
    return token;
  }

  private unread(): Error {
    return new Error(`the emulator can't read the expression ${this.text}`);
  }
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== "") {
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) {
      throw new Error(`the emulator can't read the expression ${text}`);
    }
    tokens.push(token);
  }
  return tokens;
}

/** Functions of a value, by their names. */
const FUNCTIONS: Readonly<
  Record<string, (subject: CelValue, parameters: readonly CelValue[]) => CelValue>
> = {
  startsWith: (subject, [part]) => textOf(subject).startsWith(textOf(part)),
  endsWith: (subject, [part]) => textOf(subject).endsWith(textOf(part)),
  contains: (subject, [part]) => textOf(subject).includes(textOf(part)),
  orValue: (subject, [other = null]) =>
    subject instanceof Optional ? (subject.value ?? other) : noOverload(),
};

function entry(from: CelValue, key: CelValue, isOptional: boolean): CelValue {
  // What follows an optional value is optional too.
  const isLoose = isOptional || from instanceof Optional;
  const owner = from instanceof Optional ? from.value : from;
  const found = owner === undefined ? undefined : valueAt(owner, key);
  if (isLoose) {
    return new Optional(found);
  }
  if (found === undefined) {
    throw new Error(`no such key: ${JSON.stringify(key)}`);
  }
  return found;
}

function valueAt(owner: CelValue, key: CelValue): CelValue | undefined {
  if (typeof key === "number") {
    return listOf(owner)[key];
  }
  const name = textOf(key);
  return isMap(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined;
}

function isMap(value: CelValue): value is CelMap {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Optional)
  );
}

function isIn(value: CelValue, within: CelValue): boolean {
  return isMap(within)
    ? Object.hasOwn(within, textOf(value))
    : listOf(within).some((each) => isSame(each, value));
}

function isSame(one: CelValue, other: CelValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function truth(value: CelValue): boolean {
  return typeof value === "boolean" ? value : noOverload();
}

function textOf(value: CelValue | undefined): string {
  return typeof value === "string" ? value : noOverload();
}

function listOf(value: CelValue): readonly CelValue[] {
  return Array.isArray(value) ? (value as readonly CelValue[]) : noOverload();
}

function noOverload(): never {
  throw new Error("no such overload");
}
