import { type ConfigDocument, textAt } from "../machineConfig";
import { talosMinor } from "../releases/talosMinor";

/**
 * The JSON Schema of a value, limited to what machine configurations use, with Talos' own
 * annotations.
 */
export interface PropertySchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly items?: PropertySchema;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly additionalProperties?: boolean | PropertySchema;
  readonly deprecated?: boolean;
  /** A pointer in Talos: absent differs from zero. */
  readonly "x-pointer"?: boolean;
  /** Left out if empty. Fields without this are always written. */
  readonly "x-omitEmpty"?: boolean;
  /** A mapping that has only such fields counts as empty. */
  readonly "x-incidental"?: boolean;
  /** A patch replaces the value instead of merging into it. */
  readonly "x-mergeReplace"?: boolean;
  /** A list whose items merge by the first of these keys that the patch's item has. */
  readonly "x-mergeBy"?: readonly string[];
  /** The word that means the value is not set. */
  readonly "x-zero"?: string;
  /** The value is written as an octal number. */
  readonly "x-encode"?: string;
  /** Leading blank lines are dropped. */
  readonly "x-trimStart"?: boolean;
}

/** A kind of configuration document. */
export interface DocumentKind {
  /** Empty for the machine configuration proper. */
  readonly kind: string;
  /** Key in `$defs`. */
  readonly type: string;
  /** There can be several documents of the kind, distinguished by `name`. */
  readonly named: boolean;
  /** Kinds that must not have a document of the same name. */
  readonly conflictsWith?: readonly string[];
}

/** The description of all documents of a Talos release. Written by `schema/generator`. */
export interface SchemaFile {
  readonly $id: string;
  readonly "x-talosVersion": string;
  readonly "x-documents": readonly DocumentKind[];
  readonly $defs: Readonly<Record<string, PropertySchema>>;
}

/** The field of a value in a document: its type, and how it merges and is left out. */
export interface Field {
  readonly shape: Shape;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly incidental: boolean;
  readonly mergeReplace: boolean;
  readonly deprecated: boolean;
}

/** The type of a value. `free` is any value, for example an admission plugin's configuration. */
export type Shape =
  | { readonly kind: "struct"; readonly type: string; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: "map"; readonly value: Field }
  | ListShape
  | { readonly kind: "free" }
  | ScalarShape;

/** A list of values of one type. */
export interface ListShape {
  readonly kind: "list";
  readonly item: Field;
  /**
   * Keys that identify items; the first key that an item has counts. Empty: items have no identity.
   */
  readonly mergeBy: readonly string[];
  /** A single item stands for a list, for example a command-line argument without repetition. */
  readonly orSingle: boolean;
}

/** A single value. */
export interface ScalarShape {
  readonly kind: "scalar";
  /** `string`, `boolean`, `integer`, `number`: the allowed types of the parsed value. */
  readonly types: readonly string[];
  /** The form of a text: see `formats.ts`. */
  readonly format: string | undefined;
  /** The value that means "not set" to Talos. */
  readonly zero: string | number | boolean;
  readonly octal: boolean;
  readonly trimStart: boolean;
}

/** The documents of a Talos release and their fields, in Talos' order. */
export class ConfigSchema {
  readonly file: SchemaFile;
  readonly documents: ReadonlyMap<string, DocumentKind>;
  /** The minor of the Talos release: 13 is v1.13. */
  readonly talosMinor: number;
  private readonly structs = new Map<string, Shape>();
  /** Cache of the fields of document kinds. */
  private readonly fields = new Map<string, Field>();

  constructor(file: SchemaFile) {
    this.file = file;
    this.talosMinor = talosMinor(file["x-talosVersion"]) ?? 0;
    this.documents = new Map(file["x-documents"].map((document) => [document.kind, document]));
  }

  /**
   * The field of a document kind (`""`: the machine configuration proper); undefined for an unknown
   * kind.
   */
  document(kind: string): Field | undefined {
    const known = this.documents.get(kind);
    if (known === undefined) {
      return undefined;
    }
    const field = this.fields.get(kind) ?? this.field({ $ref: `#/$defs/${known.type}` });
    this.fields.set(kind, field);
    return field;
  }

  /** The field of a document, by its kind; undefined for an unknown kind. */
  fieldOf(document: ConfigDocument): Field | undefined {
    return this.document(textAt(document, "kind") ?? "");
  }

  /** The field for a part of the schema. */
  field(schema: PropertySchema): Field {
    return {
      shape: this.shape(schema),
      pointer: schema["x-pointer"] ?? false,
      omitEmpty: schema["x-omitEmpty"] ?? false,
      incidental: schema["x-incidental"] ?? false,
      mergeReplace: schema["x-mergeReplace"] ?? false,
      deprecated: schema.deprecated ?? false,
    };
  }

  private shape(schema: PropertySchema): Shape {
    if (schema.$ref !== undefined) {
      return this.struct(schema.$ref.replace("#/$defs/", ""));
    }
    const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
    if (schema.items !== undefined) {
      return {
        kind: "list",
        item: this.field(schema.items),
        mergeBy: schema["x-mergeBy"] ?? [],
        orSingle: types.length > 1,
      };
    }
    if (typeof schema.additionalProperties === "object") {
      return { kind: "map", value: this.field(schema.additionalProperties) };
    }
    if (types.length === 0 || types.includes("object")) {
      return { kind: "free" };
    }
    return {
      kind: "scalar",
      types,
      format: schema.format,
      zero: schema["x-zero"] ?? zeroOf(types),
      octal: schema["x-encode"] === "octal",
      trimStart: schema["x-trimStart"] ?? false,
    };
  }

  private struct(type: string): Shape {
    const known = this.structs.get(type);
    if (known !== undefined) {
      return known;
    }
    const properties = Object.entries(this.file.$defs[type]?.properties ?? {});
    const fields = new Map(properties.map(([name, schema]) => [name, this.field(schema)]));
    const shape: Shape = { kind: "struct", type, fields };
    this.structs.set(type, shape);
    return shape;
  }
}

function zeroOf(types: readonly string[]): string | number | boolean {
  switch (types[0]) {
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 0;
    default:
      return "";
  }
}

/** The field at a key of a mapping; undefined for an unknown key or a free mapping. */
export function memberField(field: Field | undefined, key: string): Field | undefined {
  switch (field?.shape.kind) {
    case "struct":
      return field.shape.fields.get(key);
    case "map":
      return field.shape.value;
    default:
      return undefined;
  }
}

/** The field of each item of a list. */
export function itemField(field: Field | undefined): Field | undefined {
  return field?.shape.kind === "list" ? field.shape.item : undefined;
}

/** The scalar type of a field; undefined for a mapping, or for a list that takes no single item. */
export function scalarShape(field: Field | undefined): ScalarShape | undefined {
  const shape = field?.shape;
  if (shape?.kind === "list") {
    return shape.orSingle ? scalarShape(shape.item) : undefined;
  }
  return shape?.kind === "scalar" ? shape : undefined;
}
