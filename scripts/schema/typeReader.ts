import ts from "typescript";
import { documentationOf, documentationOfProperty, type PropertySpec } from "./documentation";

/** A type as Pulumi's schema describes it. */
export type TypeSpec = Readonly<Record<string, unknown>>;

/** Files of the compiler that declare the language's own types. */
const LANGUAGE_FILE = /\/typescript\/lib\/lib\.[\w.]+\.d\.ts$/;

/** The properties of an object type, and which of them programs must give. */
export interface ObjectSpec {
  readonly properties: Record<string, PropertySpec>;
  readonly required: readonly string[];
  /** What only a program in TypeScript can give: functions, and resources of other packages. */
  readonly programOnly?: readonly string[];
}

/** What only TypeScript has, as the schema tells readers who know it: the check of arguments does. */
export function languageFacts({ programOnly = [] }: ObjectSpec): PropertySpec {
  return programOnly.length === 0 ? {} : { language: { nodejs: { programOnly } } };
}

/**
 * Types whose values are documents of Talos or Kubernetes: any value is allowed. So it is for what a cluster hands to
 * pools elsewhere, because Pulumi's YAML takes no output with an enumeration as an input of the same type.
 */
const DOCUMENTS: ReadonlySet<string> = new Set([
  "ClusterJoin",
  "Patch",
  "YamlValue",
  "MachineConfigPatch",
  "ConfigDocument",
  "JsonPatchOperation",
]);

/** Types with private keys, so that everything of such a type is secret. */
const SECRETS: ReadonlySet<string> = new Set(
  ["CertificateAndKey", "ClientCredentials", "SecretsBundle"].map(tokenOf),
);

/** A mapping of such values. */
const OUTLINE = "ConfigurationOutline";

const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

/** The token of a type, a resource or a function. */
export function tokenOf(name: string): string {
  return `talos-aws:index:${name}`;
}

/** Reads types of the sources into a schema. */
export class TypeReader {
  /** The object types and enumerations that were read, by token. */
  readonly types = new Map<string, TypeSpec>();
  private readonly owners = new Map<string, ts.Type>();

  /**
   * @param resources names of resources and components, to which types may refer
   * @param aliases the exported names of types that have none themselves, such as unions
   * @param named finds an exported declaration by its name
   */
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly resources: ReadonlySet<string>,
    private readonly aliases: ReadonlyMap<ts.Type, ts.Symbol>,
    private readonly named: (name: string) => ts.Symbol | undefined,
  ) {}

  /**
   * The properties of an object type, without those that only a program in TypeScript can give:
   * functions, and resources of other packages.
   *
   * @param path names what is anonymous inside
   * @param isRead which properties are read. Default: all
   */
  propertiesOf(
    type: ts.Type,
    path: string,
    isRead: (symbol: ts.Symbol) => boolean = () => true,
  ): ObjectSpec {
    const symbols = this.checker
      .getPropertiesOfType(type)
      .filter((symbol) => !isHidden(symbol) && isRead(symbol))
      .map((symbol) => [symbol, this.propertyOf(symbol, path)] as const);
    const known = symbols.flatMap(([symbol, spec]) =>
      spec === undefined ? [] : [[symbol, spec] as const],
    );
    return {
      properties: Object.fromEntries(known.map(([symbol, spec]) => [symbol.getName(), spec])),
      required: known
        .filter(([symbol]) => !this.isOptional(symbol))
        .map(([symbol]) => symbol.getName())
        .sort(),
      programOnly: symbols
        .filter(
          ([symbol, spec]) =>
            spec === undefined && !this.isNever(this.checker.getTypeOfSymbol(symbol)),
        )
        .map(([symbol]) => symbol.getName()),
    };
  }

  private isNever(type: ts.Type): boolean {
    return (this.unwrapped(type).inner.flags & ts.TypeFlags.Never) !== 0;
  }

  /** The same of arguments that exclude each other: all of them, required if they always are. */
  argumentsOf(type: ts.Type, path: string): ObjectSpec {
    return this.mergedProperties(type.isUnion() ? type.types : [type], path);
  }

  private mergedProperties(types: readonly ts.Type[], path: string): ObjectSpec {
    const read = types.map((type) => this.propertiesOf(type, path));
    const properties = Object.fromEntries(read.flatMap((each) => Object.entries(each.properties)));
    const isRequired = (name: string) => read.every(({ required }) => required.includes(name));
    return {
      properties,
      required: Object.keys(properties).filter(isRequired).sort(),
      programOnly: read.flatMap(({ programOnly = [] }) => programOnly),
    };
  }

  /** A type in the schema; undefined if only TypeScript can express it. */
  specOf(type: ts.Type, path: string): TypeSpec | undefined {
    const { inner, isInput } = this.unwrapped(type);
    const spec = this.plainSpecOf(inner, path);
    return spec === undefined || isInput || spec === ANY ? spec : { ...spec, plain: true };
  }

  private propertyOf(symbol: ts.Symbol, path: string): PropertySpec | undefined {
    const type = this.checker.getTypeOfSymbol(symbol);
    const spec = this.specOf(type, `${path}${capitalized(symbol.getName())}`);
    if (spec === undefined) {
      return undefined;
    }
    const { description, ...others } = {
      ...(holdsSecrets(spec) && { secret: true }),
      ...documentationOfProperty(symbol, this.checker, this.named),
    };
    const about = description ?? this.descriptionOf(spec);
    if (about === undefined) {
      return { ...spec, ...others };
    }
    this.describe(spec, about);
    return { ...spec, description: about, ...others };
  }

  /** The description of the type that a property has. */
  private descriptionOf({ $ref }: TypeSpec): string | undefined {
    return this.types.get(tokenIn($ref))?.description as string | undefined;
  }

  /** A type without a name has the description of its property. */
  private describe({ $ref, items, additionalProperties, oneOf }: TypeSpec, about: string): void {
    const type = this.types.get(tokenIn($ref));
    if (type !== undefined && type.description === undefined) {
      this.types.set(tokenIn($ref), { ...type, description: about });
    }
    const inside = [items, additionalProperties, ...((oneOf as TypeSpec[] | undefined) ?? [])];
    for (const spec of inside as (TypeSpec | undefined)[]) {
      if (spec !== undefined) {
        this.describe(spec, about);
      }
    }
  }

  private isOptional(symbol: ts.Symbol): boolean {
    const type = this.checker.getTypeOfSymbol(symbol);
    const { inner } = this.unwrapped(type, false);
    const isAbsent = ({ flags }: ts.Type) => (flags & ts.TypeFlags.Undefined) !== 0;
    return (
      (symbol.flags & ts.SymbolFlags.Optional) !== 0 ||
      [type, inner].some((each) => each.isUnion() && each.types.some(isAbsent))
    );
  }

  /** What is inside inputs and outputs: `Input<T>` is `T | Promise<T> | OutputInstance<T>`. */
  private unwrapped(
    type: ts.Type,
    withoutUndefined = true,
  ): { readonly inner: ts.Type; readonly isInput: boolean } {
    const parts = type.isUnionOrIntersection() ? type.types : [type];
    const instance = parts
      .flatMap((part) => (part.isIntersection() ? part.types : [part]))
      .find((part) => nameIn(part) === "OutputInstance");
    const held = instance && this.checker.getTypeArguments(instance as ts.TypeReference)[0];
    if (held !== undefined) {
      return { inner: this.unwrapped(held, withoutUndefined).inner, isInput: true };
    }
    const inner = withoutUndefined ? this.checker.getNonNullableType(type) : type;
    return { inner, isInput: false };
  }

  private plainSpecOf(type: ts.Type, path: string): TypeSpec | undefined {
    const name = type.aliasSymbol?.getName() ?? nameIn(type) ?? "";
    if (DOCUMENTS.has(name) || (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0) {
      return ANY;
    }
    if (name === OUTLINE) {
      return { type: "object", additionalProperties: ANY };
    }
    return type.isUnion() ? this.unionSpec(type, path) : this.singleSpec(type, path);
  }

  private unionSpec(union: ts.UnionType, path: string): TypeSpec | undefined {
    const isOf = (flag: ts.TypeFlags) => (type: ts.Type) => (type.flags & flag) !== 0;
    const { types } = union;
    const texts = types.filter((type): type is ts.StringLiteralType => type.isStringLiteral());
    const objects = types.filter((type) => this.isObject(type));
    const isRest = (type: ts.Type) =>
      !type.isStringLiteral() &&
      !this.isObject(type) &&
      !isOf(ts.TypeFlags.BooleanLike)(type) &&
      !isOf(ts.TypeFlags.NumberLike)(type);
    const specs = [
      texts.length > 0 ? this.enumeration(union, texts, path) : undefined,
      types.some(isOf(ts.TypeFlags.BooleanLike)) ? { type: "boolean" } : undefined,
      types.some(isOf(ts.TypeFlags.NumberLike)) ? { type: numberType(path) } : undefined,
      objects.length > 0 ? this.objectSpec(objects, union, path) : undefined,
      ...types.filter(isRest).map((type) => this.singleSpec(type, path)),
    ].filter((spec) => spec !== undefined);
    return specs.includes(ANY) ? ANY : specs.length > 1 ? { oneOf: specs } : specs[0];
  }

  private singleSpec(type: ts.Type, path: string): TypeSpec | undefined {
    const { flags } = type;
    if ((flags & ts.TypeFlags.StringLike) !== 0) {
      return { type: "string" };
    }
    if ((flags & ts.TypeFlags.NumberLike) !== 0) {
      return { type: numberType(path) };
    }
    if ((flags & ts.TypeFlags.BooleanLike) !== 0) {
      return { type: "boolean" };
    }
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      const items = item && this.specOf(item, path);
      return items && { type: "array", items };
    }
    return this.isObject(type) ? this.objectSpec([type], type, path) : undefined;
  }

  private isObject(type: ts.Type): boolean {
    return (
      (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 &&
      !this.checker.isArrayType(type) &&
      !this.checker.isTupleType(type)
    );
  }

  /** @param named the type whose name the object gets: itself, or the union that it is a part of */
  private objectSpec(
    types: readonly ts.Type[],
    named: ts.Type,
    path: string,
  ): TypeSpec | undefined {
    const [first] = types;
    if (first === undefined || types.some((type) => type.getCallSignatures().length > 0)) {
      return undefined;
    }
    const own = nameIn(first) ?? "";
    if (this.resources.has(own) && this.isResource(first)) {
      return { $ref: `#/resources/${tokenOf(own)}` };
    }
    if (types.some((type) => this.isResource(type))) {
      return undefined;
    }
    const member = first.getStringIndexType();
    if (member !== undefined && this.checker.getPropertiesOfType(first).length === 0) {
      // `Record<string, never>` is an object without members: that it is there says all. Of `unknown` are values of a chart.
      const isAny = this.isNever(member) || (member.flags & ts.TypeFlags.Unknown) !== 0;
      const additionalProperties = isAny ? ANY : this.specOf(member, path);
      return additionalProperties && { type: "object", additionalProperties };
    }
    const token = this.objectType(types, named, path);
    const properties = this.types.get(token)?.properties as object | undefined;
    // Without any, for example an object of functions, it is one that only TypeScript has.
    const isEmpty = properties !== undefined && Object.keys(properties).length === 0;
    if (isEmpty) {
      this.types.delete(token);
      this.owners.delete(token);
    }
    return isEmpty ? undefined : { type: "object", $ref: `#/types/${token}` };
  }

  /** Objects that exclude each other become one, because few languages have such unions. */
  private objectType(types: readonly ts.Type[], named: ts.Type, path: string): string {
    const token = this.tokenFor(named, path);
    if (!this.types.has(token)) {
      this.types.set(token, {});
      const merged = this.mergedProperties(types, token.split(":").pop() ?? path);
      const { properties, required } = merged;
      this.types.set(token, {
        type: "object",
        ...this.documentation(named),
        properties,
        required,
        ...languageFacts(merged),
      });
    }
    return token;
  }

  private enumeration(
    union: ts.UnionType,
    texts: readonly ts.StringLiteralType[],
    path: string,
  ): TypeSpec {
    const token = this.tokenFor(union, path);
    this.types.set(token, {
      type: "string",
      ...this.documentation(union),
      enum: texts.map(({ value }) => ({ value })).sort((a, b) => (a.value < b.value ? -1 : 1)),
    });
    return { type: "string", $ref: `#/types/${token}` };
  }

  /** The doc comment of a type's own declaration. Those of the language's own types say nothing. */
  private documentation(type: ts.Type): PropertySpec {
    // `InputsOf<T>` and similar types are `T`, as a program gives it.
    const [argument] = type.aliasTypeArguments ?? [];
    if (argument !== undefined && !this.aliases.has(type)) {
      return this.documentation(argument);
    }
    const symbol = this.aliases.get(type) ?? type.aliasSymbol ?? symbolOf(type);
    const isOwn = symbol?.declarations?.every(
      (declaration) => !LANGUAGE_FILE.test(declaration.getSourceFile().fileName),
    );
    return symbol !== undefined && isOwn === true ? documentationOf(symbol, this.checker) : {};
  }

  /** A token by the name of the type, or by its place if it has none or the name means another. */
  private tokenFor(type: ts.Type, path: string): string {
    const name = this.nameOf(type)?.replace(/Args$/, "");
    const candidates = [...(name === undefined ? [] : [name]), path, `${path}Value`];
    for (const candidate of candidates.filter((each) => !this.resources.has(each))) {
      const token = tokenOf(candidate);
      const owner = this.owners.get(token);
      if (owner === undefined || owner === type) {
        this.owners.set(token, type);
        return token;
      }
    }
    throw new Error(`the schema has no name left for a type at "${path}"`);
  }

  private nameOf(type: ts.Type): string | undefined {
    const alias = this.aliases.get(type);
    if (alias !== undefined) {
      return alias.getName();
    }
    const { aliasSymbol, aliasTypeArguments = [] } = type;
    const name = aliasSymbol?.getName() ?? nameIn(type);
    if (name === undefined || name.startsWith("__")) {
      return undefined;
    }
    // `InputsOf<T>` and similar types are `T`, as a program gives it.
    const [argument] = aliasTypeArguments;
    return argument === undefined ? name : this.nameOf(argument);
  }

  private isResource(type: ts.Type): boolean {
    return ["urn", "getProvider"].every((name) => type.getProperty(name) !== undefined);
  }
}

/** The compiler declares that every type has a symbol, but those of texts and unions have none. */
function symbolOf(type: ts.Type): ts.Symbol | undefined {
  return type.symbol;
}

/** In some languages an integer has 32 bits, which are too few for a size. */
function numberType(path: string): string {
  return path.endsWith("Bytes") ? "number" : "integer";
}

/** The token of a type of this schema in a reference to it. */
function tokenIn(reference: unknown): string {
  return typeof reference === "string" ? reference.replace("#/types/", "") : "";
}

function nameIn(type: ts.Type): string | undefined {
  return symbolOf(type)?.getName();
}

function isHidden(symbol: ts.Symbol): boolean {
  const { name } = symbol;
  return name.startsWith("__") || (symbol.flags & ts.SymbolFlags.Method) !== 0;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Whether values of a type contain private keys, also in lists and mappings. */
function holdsSecrets({ $ref, items, additionalProperties }: TypeSpec): boolean {
  const inside = [items, additionalProperties] as (TypeSpec | undefined)[];
  return (
    SECRETS.has(tokenIn($ref)) || inside.some((spec) => spec !== undefined && holdsSecrets(spec))
  );
}
