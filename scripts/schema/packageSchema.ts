import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import { COMPONENT_NAMES } from "../../plugin/components";
import { KIND_NAMES, kindOf } from "../../plugin/kinds";
import { pluginType } from "../../provider/engine/talosTypes";
import { paths } from "../paths";
import { documentationOf, type PropertySpec } from "./documentation";
import { readExampleProgram } from "./examples/exampleProgram";
import { ExampleTypes } from "./examples/exampleTypes";
import { exampleUsage } from "./examples/exampleUsage";
import { packageFacts } from "./packageFacts";
import { languageFacts, type ObjectSpec, tokenOf, TypeReader } from "./typeReader";

/** The data functions, and the name of what returns a list. */
const FUNCTIONS: Readonly<Record<string, string | undefined>> = {
  getDisks: "disks",
  getMembers: "members",
  getResources: "resources",
  getServices: "services",
  getVersion: undefined,
};

/**
 * The schema of the package, from the types and the doc comments of its sources: resources,
 * components, functions and what they are made of.
 *
 * @returns JSON, the same for the same sources
 */
export function packageSchema(): string {
  const { checker, exported, named, aliases } = readSources();
  const names: readonly string[] = [...KIND_NAMES, ...COMPONENT_NAMES];
  const reader = new TypeReader(checker, new Set(names), aliases, named);
  const resources = Object.fromEntries(
    [...names].sort().map((name) => {
      const isComponent = COMPONENT_NAMES.includes(name);
      const read = readClass(exported(name), name, checker, reader);
      const spec = isComponent ? { isComponent, ...read } : withHandlerFacts(name, read);
      return [tokenOf(name), name === "TalosCluster" ? { ...spec, methods: METHODS } : spec];
    }),
  );
  const functions = {
    ...Object.fromEntries(
      Object.entries(FUNCTIONS).map(([name, list]) => [
        tokenOf(name),
        readFunction(exported(name), name, list, checker, reader),
      ]),
    ),
    ...Object.fromEntries(
      KUBECONFIG_METHODS.map((name) => [
        METHODS[name] ?? name,
        readKubeconfigMethod(name, exported("TalosCluster"), checker, reader),
      ]),
    ),
  };
  const types = Object.fromEntries(
    [...reader.types].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const program = readExampleProgram();
  const exampleTypes = new ExampleTypes(types, resources);
  const shown = Object.fromEntries(
    Object.entries(resources).map(([token, { description, ...spec }]) => [
      token,
      {
        description: `${description ?? ""}\n\n${exampleUsage(token, program, exampleTypes)}`,
        ...spec,
      },
    ]),
  );
  const schema = { ...packageFacts, ...PROVIDER, types, resources: shown, functions };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Methods of a cluster that return a kubeconfig: today's name, and the former one. */
const KUBECONFIG_METHODS = ["createKubeconfig", "getKubeconfig"] as const;
const METHODS = Object.fromEntries(
  KUBECONFIG_METHODS.map((name) => [name, tokenOf(`TalosCluster/${name}`)] as const),
);

const PROVIDER = {
  config: {},
  provider: {
    description: "The provider of Talos resources. Only an import needs its configuration.",
    inputProperties: {
      talosconfig: {
        type: "string",
        description:
          "The talosconfig with which an import contacts machines: its text, or the path of the file. Default: the file that the environment variable `TALOSCONFIG` names, or `~/.talos/config`.",
        secret: true,
      },
    },
  },
};

interface ClassSpec extends ObjectSpec {
  readonly description?: string;
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
}

/** A class's arguments, and the outputs that it declares itself. */
function readClass(
  symbol: ts.Symbol,
  name: string,
  checker: ts.TypeChecker,
  reader: TypeReader,
): ClassSpec {
  const [signature] = checker.getTypeOfSymbol(symbol).getConstructSignatures();
  const args = signature?.getParameters()[1];
  if (args === undefined) {
    throw new Error(`the class ${name} has no constructor with arguments`);
  }
  const inputs = reader.propertiesOf(checker.getTypeOfSymbol(args), name);
  const outputs = outputsOf(symbol, name, checker, reader);
  return {
    ...documentationOf(symbol, checker),
    properties: outputs.properties,
    required: outputs.required,
    inputProperties: inputs.properties,
    requiredInputs: inputs.required,
    ...languageFacts(inputs),
  };
}

function outputsOf(
  symbol: ts.Symbol,
  name: string,
  checker: ts.TypeChecker,
  reader: TypeReader,
): ObjectSpec {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const isOutput = ({ valueDeclaration: declaration, parent }: SymbolInClass) =>
    parent === symbol &&
    declaration !== undefined &&
    ts.isPropertyDeclaration(declaration) &&
    (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) === 0;
  const { properties, required } = reader.propertiesOf(type, name, isOutput);
  return withoutPlain({ properties, required });
}

/** The compiler knows, but does not declare, where a member comes from. */
interface SymbolInClass extends ts.Symbol {
  readonly parent?: ts.Symbol;
}

/** Adds what a kind itself says: its defaults, and what the state encrypts. */
function withHandlerFacts(name: string, spec: ClassSpec): ClassSpec {
  const kind = kindOf(pluginType(name as (typeof KIND_NAMES)[number]));
  const filled = kind.inputsOf(EXAMPLE as never);
  const isSecret = (property: string) => kind.secrets.includes(property);
  const marked = (properties: Readonly<Record<string, PropertySpec>>) =>
    Object.fromEntries(
      Object.entries(properties).map(([property, { plain, ...each }]) => [
        property,
        { ...each, ...(isSecret(property) && { secret: true }) },
      ]),
    );
  const inputs = Object.entries(marked(spec.inputProperties)).map(([property, each]) => {
    const value: unknown = filled[property];
    const isDefault = ["boolean", "number", "string"].includes(typeof value) && value !== "";
    return [property, isDefault ? { ...each, default: value } : each] as const;
  });
  return {
    ...spec,
    properties: marked(spec.properties),
    inputProperties: Object.fromEntries(inputs),
  };
}

/** Arguments without which no inputs can be made. They have no default. */
const EXAMPLE = { secretsBundle: pulumi.output(pulumi.unknown) };

function readFunction(
  symbol: ts.Symbol,
  name: string,
  list: string | undefined,
  checker: ts.TypeChecker,
  reader: TypeReader,
): Readonly<Record<string, unknown>> {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const args = signature?.getParameters()[0];
  const answer = signature && checker.getAwaitedType(signature.getReturnType());
  if (args === undefined || answer === undefined) {
    throw new Error(`the function ${name} has no arguments or returns nothing`);
  }
  const inputs = withoutPlain(reader.argumentsOf(checker.getTypeOfSymbol(args), name));
  const spec = list === undefined ? undefined : reader.specOf(answer, name);
  const outputs =
    list === undefined
      ? withoutPlain(reader.propertiesOf(answer, name))
      : withoutPlain({ properties: { [list]: spec ?? {} }, required: [list] });
  return {
    ...documentationOf(symbol, checker),
    inputs: { type: "object", ...inputs },
    outputs: { type: "object", ...outputs },
  };
}

function readKubeconfigMethod(
  name: (typeof KUBECONFIG_METHODS)[number],
  cluster: ts.Symbol,
  checker: ts.TypeChecker,
  reader: TypeReader,
): Readonly<Record<string, unknown>> {
  const method = checker.getDeclaredTypeOfSymbol(cluster).getProperty(name);
  const [signature] = method ? checker.getTypeOfSymbol(method).getCallSignatures() : [];
  const request = signature?.getParameters()[0];
  if (method === undefined || request === undefined) {
    throw new Error(`the class TalosCluster has no method ${name}`);
  }
  const { properties, required } = withoutPlain(
    reader.propertiesOf(checker.getTypeOfSymbol(request), "ClusterKubeconfigRequest"),
  );
  const self = { $ref: `#/resources/${tokenOf("TalosCluster")}` };
  return {
    ...documentationOf(method, checker),
    inputs: {
      type: "object",
      properties: { __self__: self, ...properties },
      required: ["__self__", ...required],
    },
    outputs: {
      type: "object",
      properties: {
        kubeconfig: { type: "string", description: "The kubeconfig. Secret.", secret: true },
      },
      required: ["kubeconfig"],
    },
  };
}

function withoutPlain({ properties, required }: ObjectSpec): ObjectSpec {
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, { plain, ...spec }]) => [name, spec]),
    ),
    required,
  };
}

/** The sources that the package exports. */
function readSources() {
  const config = ts.readConfigFile(join(paths.root, "tsconfig.json"), (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, paths.root);
  const files = ["provider/index.ts", "components/index.ts"].map((file) => join(paths.root, file));
  const program = ts.createProgram(files, { ...options, noEmit: true, types: ["node"] });
  const checker = program.getTypeChecker();
  const symbols = files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    return module === undefined ? [] : checker.getExportsOfModule(module);
  });
  const named = (name: string): ts.Symbol | undefined => {
    const found = symbols.find((symbol) => symbol.getName() === name);
    const isAlias = found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0;
    return isAlias ? checker.getAliasedSymbol(found) : found;
  };
  const exported = (name: string): ts.Symbol => {
    const found = named(name);
    if (found === undefined) {
      throw new Error(`the package does not export ${name}`);
    }
    return found;
  };
  const sources = program.getSourceFiles().filter(isOwn);
  return { checker, exported, named, aliases: aliasesIn(sources, checker) };
}

function isOwn({ fileName }: ts.SourceFile): boolean {
  return ["provider", "components"].some((room) => fileName.startsWith(join(paths.root, room)));
}

/** The exported names of types, such as of unions. */
function aliasesIn(
  sources: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): ReadonlyMap<ts.Type, ts.Symbol> {
  const names = new Map<ts.Type, ts.Symbol>();
  for (const source of sources) {
    const module = checker.getSymbolAtLocation(source);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    for (const symbol of symbols.filter(({ flags }) => (flags & ts.SymbolFlags.TypeAlias) !== 0)) {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const isKnown =
        names.has(type) || (!type.isUnion() && (type.flags & ts.TypeFlags.Object) === 0);
      if (!isKnown) {
        names.set(type, symbol);
      }
    }
  }
  return names;
}
