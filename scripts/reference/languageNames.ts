import { pythonName } from "../../plugin/pythonName";

/** How a language writes the names and types of the package. */
export interface LanguageNames {
  /** The language, as a title. */
  readonly title: string;
  /** How a program gets at the package. */
  readonly start: string;
  /** An argument, an output or a field. */
  readonly property: (name: string) => string;
  readonly resource: (name: string) => string;
  readonly function: (name: string) => string;
  /** An object or enumeration that programs give. */
  readonly type: (name: string) => string;
  readonly plain: Readonly<Record<"string" | "integer" | "number" | "boolean" | "any", string>>;
  readonly list: (item: string) => string;
  readonly map: (value: string) => string;
}

/**
 * The languages of the reference. The names are those that Pulumi's generators give an SDK.
 * TypeScript has its own reference (`npm run docs`).
 */
export const languageNames = {
  yaml: {
    title: "YAML",
    start: "A resource's type is `talos-aws:<name>`.",
    property: (name) => name,
    resource: (name) => `talos-aws:${name}`,
    function: (name) => `talos-aws:${name}`,
    type: (name) => name,
    plain: {
      string: "string",
      integer: "integer",
      number: "number",
      boolean: "boolean",
      any: "any",
    },
    list: (item) => `list of ${item}`,
    map: (value) => `map of ${value}`,
  },
  python: {
    title: "Python",
    start: "`import pulumi_talos_aws`",
    property: pythonName,
    resource: (name) => name,
    function: pythonName,
    type: (name) => `${name}Args`,
    plain: { string: "str", integer: "int", number: "float", boolean: "bool", any: "Any" },
    list: (item) => `Sequence[${item}]`,
    map: (value) => `Mapping[str, ${value}]`,
  },
  go: {
    title: "Go",
    start: '`import "github.com/pulumi-talos-aws/pulumi-talos-aws/sdk/go/talosaws"`',
    property: titleCase,
    resource: (name) => `New${name}`,
    function: titleCase,
    type: (name) => `${name}Args`,
    plain: {
      string: "string",
      integer: "int",
      number: "float64",
      boolean: "bool",
      any: "interface{}",
    },
    list: (item) => `[]${item}`,
    map: (value) => `map[string]${value}`,
  },
} as const satisfies Readonly<Record<string, LanguageNames>>;

/** A language of the reference. */
export type ReferenceLanguage = keyof typeof languageNames;

/** The languages of the reference. */
export const REFERENCE_LANGUAGES = Object.keys(languageNames) as readonly ReferenceLanguage[];

function titleCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
