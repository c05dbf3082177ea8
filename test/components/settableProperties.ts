import path from "node:path";
import ts from "typescript";

/** Where the components make a resource of AWS, and whether they set a property there. */
export interface Site {
  /** The file and the line. */
  readonly at: string;
  /** False: set in some cases only, so it can be taken out again. */
  readonly isAlwaysSet: boolean;
}

/** What one property is, as far as it matters here. */
export interface PropertyFact {
  readonly fields?: Readonly<Record<string, PropertyFact>>;
}

/** Properties of AWS' resource types by Pulumi's type, such as `aws:ec2/instance:Instance`. */
export type FactsByType = Readonly<Record<string, Readonly<Record<string, PropertyFact>>>>;

const ROOT = path.join(__dirname, "../..");

/**
 * Where the components set which properties of AWS' resources, by `Instance.rootBlockDevice.iops`. It follows from
 * the types of what they pass to each constructor, so no case is missed that no example has.
 */
export function settableProperties(facts: FactsByType): ReadonlyMap<string, readonly Site[]> {
  const program = programOfComponents();
  const checker = program.getTypeChecker();
  const found = new Map<string, Site[]>();
  for (const { type, args, at } of constructions(program)) {
    const [token] = Object.keys(facts).filter((each) => namesOf(each) === type);
    const properties = token === undefined ? undefined : facts[token];
    if (properties === undefined) {
      throw new Error(`nothing is known of the properties of aws.${type}, made at ${at}`);
    }
    const reader = new Reader(checker);
    reader.read(type.split(".")[1] ?? "", checker.getTypeAtLocation(args), properties);
    for (const [property, ways] of reader.ways) {
      if (ways.has("set") || ways.has("maySet")) {
        const site = { at, isAlwaysSet: ways.size === 1 && ways.has("set") };
        found.set(property, [...(found.get(property) ?? []), site]);
      }
    }
  }
  return found;
}

/** How one shape of the arguments has a property. */
type Way = "set" | "maySet" | "without";

/** Reads how the type of an argument has properties, at any depth. */
class Reader {
  readonly ways = new Map<string, Set<Way>>();

  constructor(private readonly checker: ts.TypeChecker) {}

  read(prefix: string, type: ts.Type, properties: FactsByType[string]): void {
    for (const shape of this.shapesOf(type)) {
      for (const [name, { fields }] of Object.entries(properties)) {
        const here = `${prefix}.${name}`;
        const symbol = this.checker.getPropertyOfType(shape, name);
        const inner = symbol && this.checker.getTypeOfSymbol(symbol);
        this.note(here, wayOf(symbol, inner));
        if (inner !== undefined && fields !== undefined) {
          this.read(here, inner, fields);
        }
      }
    }
  }

  private note(property: string, way: Way): void {
    this.ways.set(property, new Set([...(this.ways.get(property) ?? []), way]));
  }

  /** The object types that a value of the type may have, also as an output, a promise or in a list. */
  private shapesOf(type: ts.Type): ts.Type[] {
    if (type.isUnion()) {
      return type.types.flatMap((each) => this.shapesOf(each));
    }
    const output = type.isIntersection()
      ? type.types.find((each) => nameOf(each) === "OutputInstance")
      : undefined;
    const holder = output ?? type;
    const isHolder =
      ["OutputInstance", "Promise"].includes(nameOf(holder)) || this.checker.isArrayLikeType(type);
    if (isHolder) {
      return this.checker
        .getTypeArguments(holder as ts.TypeReference)
        .flatMap((each) => this.shapesOf(each));
    }
    return type.isIntersection() || (type.flags & ts.TypeFlags.Object) !== 0 ? [type] : [];
  }
}

function wayOf(symbol: ts.Symbol | undefined, type: ts.Type | undefined): Way {
  if (symbol === undefined || type === undefined) {
    return "without";
  }
  const parts = type.isUnion() ? type.types : [type];
  const isOptional =
    (symbol.flags & ts.SymbolFlags.Optional) !== 0 ||
    parts.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0);
  return isOptional ? "maySet" : "set";
}

function nameOf(type: ts.Type): string {
  return type.getSymbol()?.name ?? "";
}

/** `ec2.Instance` of `aws:ec2/instance:Instance`. */
function namesOf(token: string): string {
  const [, module = "", name = ""] = /^aws:(\w+)\/\w+:(\w+)$/.exec(token) ?? [];
  return `${module}.${name}`;
}

function programOfComponents(): ts.Program {
  const config = path.join(ROOT, "tsconfig.json");
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }: ts.Diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  };
  const parsed = ts.getParsedCommandLineOfConfigFile(config, {}, host);
  if (parsed === undefined) {
    throw new Error(`${config} can't be read`);
  }
  return ts.createProgram(parsed.fileNames.filter(isOfComponents), parsed.options);
}

function isOfComponents(file: string): boolean {
  return file.startsWith(`${ROOT}/components/`);
}

/** Each `new aws.ec2.Instance(name, args, …)` of the components. */
function constructions(program: ts.Program) {
  const found: { readonly type: string; readonly args: ts.Expression; readonly at: string }[] = [];
  for (const file of program.getSourceFiles().filter(({ fileName }) => isOfComponents(fileName))) {
    const visit = (node: ts.Node): void => {
      const [, args] = ts.isNewExpression(node) ? (node.arguments ?? []) : [];
      const type = ts.isNewExpression(node)
        ? /^aws\.(\w+\.\w+)$/.exec(node.expression.getText(file))?.[1]
        : undefined;
      if (type !== undefined && args !== undefined) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        found.push({ type, args, at: `${path.relative(ROOT, file.fileName)}:${line + 1}` });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}
