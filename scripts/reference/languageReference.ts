import { languageNames, type LanguageNames, type ReferenceLanguage } from "./languageNames";
import {
  type FunctionDescription,
  nameIn,
  type NamedType,
  type ObjectDescription,
  type PackageDescription,
  type PropertyDescription,
  type ResourceDescription,
  type TypeDescription,
} from "./packageDescription";

const ANY = "pulumi.json#/Any";

/**
 * The reference of the package for one language: components, resources, functions and types with the
 * names of that language.
 *
 * @returns a page of Markdown
 */
export function languageReference(
  language: ReferenceLanguage,
  { resources, functions, types }: PackageDescription,
): string {
  const writer = new ReferenceWriter(languageNames[language]);
  const all = Object.entries(resources).map(([token, { description = "", ...each }]) => {
    const own = { ...each, description: withExampleIn(language, description) };
    return [token, own] as const;
  });
  const isMethod = ([token]: readonly [string, unknown]) => token.includes("/");
  const sections = [
    [
      "Components",
      all
        .filter(([, { isComponent }]) => isComponent === true)
        .map(([token, each]) => writer.resource(nameIn(token), each, functions)),
    ],
    [
      "Resources",
      all
        .filter(([, { isComponent }]) => isComponent !== true)
        .map(([token, each]) => writer.resource(nameIn(token), each, functions)),
    ],
    [
      "Functions",
      Object.entries(functions)
        .filter((entry) => !isMethod(entry))
        .map(([token, each]) => writer.function(nameIn(token), each)),
    ],
    ["Types", Object.entries(types).map(([token, each]) => writer.type(nameIn(token), each))],
  ] as const;
  return [
    `# The package in ${languageNames[language].title}`,
    languageNames[language].start,
    "Arguments in **bold** must be given. Descriptions name arguments as the schema does, in camel case.",
    ...sections.flatMap(([title, parts]) => [`## ${title}`, ...parts]),
  ]
    .join("\n\n")
    .concat("\n");
}

/** A description with the example of one language, of those that the schema has for the Registry. */
function withExampleIn(language: ReferenceLanguage, description: string): string {
  const [text = "", usage = ""] = description.split("{{% examples %}}");
  const [example] = new RegExp(`^\`\`\`${language}\n[^]*?^\`\`\`$`, "m").exec(usage) ?? [];
  return example === undefined ? text.trim() : `${text.trim()}\n\n${example}`;
}

class ReferenceWriter {
  constructor(private readonly names: LanguageNames) {}

  resource(
    name: string,
    resource: ResourceDescription,
    functions: PackageDescription["functions"],
  ): string {
    const {
      description = "",
      inputProperties,
      requiredInputs,
      properties,
      methods = {},
    } = resource;
    // What a resource only repeats of its arguments is among these.
    const own = Object.entries(properties).filter(([output]) => !(output in inputProperties));
    const calls = Object.entries(methods).flatMap(([method, token]) => {
      const { __self__, ...args } = functions[token]?.inputs.properties ?? {};
      return [
        `Method \`${this.names.function(method)}\`: ${functions[token]?.description ?? ""}`,
        this.table("Argument", { properties: args }),
      ];
    });
    return this.part(
      this.names.resource(name),
      description,
      this.table("Argument", { properties: inputProperties, required: requiredInputs ?? [] }),
      this.table("Output", { properties: Object.fromEntries(own) }),
      ...calls,
    );
  }

  function(name: string, { description = "", inputs, outputs }: FunctionDescription): string {
    return this.part(
      this.names.function(name),
      description,
      this.table("Argument", inputs),
      this.table("Output", { properties: outputs.properties }),
    );
  }

  type(
    name: string,
    { description = "", enum: values, properties = {}, required }: NamedType,
  ): string {
    const fields = this.table("Field", { properties, required: required ?? [] });
    const list = values?.map(({ value }) => `\`${value}\``).join(", ");
    return this.part(name, description, list === undefined ? fields : `One of ${list}.`);
  }

  private part(title: string, ...parts: readonly string[]): string {
    return [`### ${title}`, ...parts.filter((part) => part !== "")].join("\n\n");
  }

  private table(title: string, { properties, required = [] }: ObjectDescription): string {
    const rows = Object.entries(properties).map(([name, property]) => {
      const written = `\`${this.names.property(name)}\``;
      const shown = required.includes(name) ? `**${written}**` : written;
      return `| ${shown} | ${cell(this.typeOf(property))} | ${cell(aboutProperty(property))} |`;
    });
    return rows.length === 0
      ? ""
      : [`| ${title} | Type | Description |`, "| --- | --- | --- |", ...rows].join("\n");
  }

  private typeOf({ type, $ref, items, additionalProperties, oneOf }: TypeDescription): string {
    const { plain, list, map } = this.names;
    if (oneOf !== undefined) {
      return oneOf.map((each) => this.typeOf(each)).join(" or ");
    }
    if ($ref === ANY) {
      return plain.any;
    }
    if ($ref !== undefined) {
      const name = nameIn($ref);
      return `[${$ref.startsWith("#/resources/") ? name : this.names.type(name)}](#${name.toLowerCase()})`;
    }
    if (items !== undefined) {
      return list(this.typeOf(items));
    }
    if (additionalProperties !== undefined) {
      return map(this.typeOf(additionalProperties));
    }
    return plain[type as keyof typeof plain];
  }
}

function aboutProperty(property: PropertyDescription): string {
  const { description = "", deprecationMessage, secret } = property;
  const isSaid = /(^|\s)Secret\./.test(description);
  return [
    description,
    ...(secret === true && !isSaid ? ["Secret."] : []),
    ...(deprecationMessage === undefined ? [] : [`Deprecated: ${deprecationMessage}`]),
  ].join(" ");
}

/** Text in one cell of a table. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\n+/g, "<br>");
}
