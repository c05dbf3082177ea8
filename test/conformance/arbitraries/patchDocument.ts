import fc from "fast-check";
import type { ConfigDocument, YamlValue } from "../../../provider/config/machineConfig";
import type {
  ConfigSchema,
  Field,
  PropertySchema,
} from "../../../provider/config/schema/configSchema";
import { yamlText, yamlValue } from "../../provider/config/arbitraries";

/** Texts of each format that Talos reads. */
const texts = new Map<string, readonly string[]>([
  ["base64", ["YWJj", "ZGVm", "YQ==", ""]],
  ["url", ["https://a.example.com:6443", "tcp://10.0.0.1:5000/p", "grpc://x:1?jointoken=abc", ""]],
  ["ip", ["10.0.0.1", "fd00::1"]],
  ["cidr", ["10.0.0.0/8", "192.168.1.0/24", "fd00::/64"]],
  ["ipPort", ["10.0.0.1:80", "[fd00::1]:443"]],
  ["hardwareAddress", ["02:00:00:00:00:01", "02:00:00:00:00:0A"]],
  ["duration", ["60s", "1h30m", "500ms", "0s", "1.5h"]],
  ["size", ["10GB", "1GiB", "1073741824", "5000", "10 GB"]],
  ["percentage", ["50%", "33.3%"]],
  ["sizeOrPercentage", ["10GB", "50%", "1GiB"]],
  ["sizeCondition", [">= 10GB", "<= 1TB", "10GB"]],
  ["portRange", ["100-200", "300-400", "80"]],
  ["routingTable", ["main", "100", "local", "250"]],
  ["cel", ["disk.size > 10u * GB", "system_disk", '"x" == disk.model', "!system_disk"]],
]);

/** Texts that some format or other does not allow. */
const wrongTexts = ["10.0.0.256", "10.0.0.0/33", "10.0.0.1", "5", "1 + ", "Main", "YQ", "-1GB"];

/** Texts where anything goes, as far as reading is concerned. */
const words = ["", "x", "eth0", "eth1", "a b", "1.10", "yes", "null", "010", "10.0.0.0/16", "~"];

/**
 * Whether Talos can read a text again that it has written: not one that begins with white space and
 * has several lines; nor one with a character that ends lines in the YAML of old, which it reads.
 */
function isStable(text: string): boolean {
  return !/^\s[^]*\n|^\n|[\u0085\u2028\u2029]/.test(text);
}

/** Whether all texts of a value are stable, and no key has several lines, which need another style. */
function hasStableTexts(value: YamlValue): boolean {
  if (typeof value === "string") {
    return isStable(value);
  }
  return typeof value !== "object" || value === null
    ? true
    : Object.entries(value).every(
        ([key, child]) => isStable(key) && !key.includes("\n") && hasStableTexts(child),
      );
}

const anyText = yamlText.filter(isStable);
const anyValue = yamlValue.filter(hasStableTexts);

/** Names that documents have, of volumes, links and registries. */
const names = ["one", "two", "eth0", "STATE", "EPHEMERAL", "docker.io"];

/** Documents of a patch, by what a Talos release knows; valid more often than not, one by one. */
export class PatchDocuments {
  constructor(private readonly schema: ConfigSchema) {}

  /** A document of any kind. */
  readonly any: fc.Arbitrary<ConfigDocument> = fc
    .nat()
    .chain((index) =>
      index % 2 === 0
        ? this.ofKind("")
        : this.ofKind([...this.schema.documents.keys()][index % this.schema.documents.size] ?? ""),
    );

  /** Several documents about the same thing, so that they merge into each other. */
  readonly alike: fc.Arbitrary<readonly ConfigDocument[]> = fc.nat().chain((index) => {
    const fields = this.topFields();
    const kinds = [...this.schema.documents.keys()].filter((kind) => kind !== "");
    const choice = index % (fields.length + kinds.length);
    const [section, name, property] = fields[choice] ?? [];
    const document: fc.Arbitrary<ConfigDocument> =
      section === undefined || name === undefined || property === undefined
        ? this.ofKind(kinds[choice - fields.length] ?? "")
        : this.value(property, 1).map((value) => ({ [section]: { [name]: value } }));
    return fc.array(document, { minLength: 2, maxLength: 3 });
  });

  private ofKind(kind: string): fc.Arbitrary<ConfigDocument> {
    const known = this.schema.documents.get(kind);
    const content = this.struct(this.schema.file.$defs[known?.type ?? ""] ?? {}, 0);
    if (kind === "") {
      return content.map((sections) => ({ machine: {}, ...sections }));
    }
    const name: fc.Arbitrary<ConfigDocument> =
      known?.named === true ? fc.record({ name: fc.constantFrom(...names) }) : fc.constant({});
    return fc
      .tuple(content, name)
      .map(([fields, own]) => ({ apiVersion: "v1alpha1", kind, ...fields, ...own }));
  }

  private topFields(): (readonly [string, string, PropertySchema])[] {
    const { $defs } = this.schema.file;
    return Object.entries({
      machine: "v1alpha1.MachineConfig",
      cluster: "v1alpha1.ClusterConfig",
    }).flatMap(([section, type]) =>
      Object.entries($defs[type]?.properties ?? {}).map(
        ([name, property]) => [section, name, property] as const,
      ),
    );
  }

  private struct(definition: PropertySchema, depth: number): fc.Arbitrary<ConfigDocument> {
    const fields = Object.entries(definition.properties ?? {}).filter(
      ([name]) => name !== "apiVersion" && name !== "kind",
    );
    return fc
      .subarray(fields, { maxLength: Math.min(fields.length, Math.max(1, 4 - depth)) })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(
            chosen.map(([name, property]) => [name, this.value(property, depth + 1)]),
          ),
        ),
      );
  }

  private value(property: PropertySchema, depth: number): fc.Arbitrary<YamlValue> {
    const { shape }: Field = this.schema.field(property);
    switch (shape.kind) {
      case "struct":
        return this.struct(this.schema.file.$defs[shape.type] ?? {}, depth);
      case "list":
        return fc.array(this.value(property.items ?? {}, depth + 1), { maxLength: 2 });
      case "map":
        return fc.dictionary(
          fc.constantFrom("a", "b", "k9", "k10"),
          this.value(property.additionalProperties as PropertySchema, depth + 1),
          { maxKeys: 3 },
        );
      case "free":
        return fc.dictionary(
          fc.constantFrom("a", "b", "list"),
          fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom<YamlValue>("x", 1, true, [1], { c: "d" }, "") },
            { weight: 1, arbitrary: anyValue },
          ),
          { maxKeys: 2 },
        );
      case "scalar":
        return scalar(property, shape.types[0]);
    }
  }
}

function scalar(property: PropertySchema, type: string | undefined): fc.Arbitrary<YamlValue> {
  const known = property.enum ?? texts.get(property.format ?? "");
  if (known !== undefined) {
    return fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: fc.constantFrom(...wrongTexts) },
    );
  }
  switch (type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.constantFrom(0, 1, 7, 200, 1500);
    case "number":
      return fc.constantFrom(0, 1, 0.5);
    default:
      return fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...words) },
        { weight: 1, arbitrary: anyText },
      );
  }
}
