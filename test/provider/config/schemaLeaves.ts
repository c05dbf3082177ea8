import type { ConfigDocument, YamlValue } from "../../../provider/config/machineConfig";
import type { Field, ScalarShape } from "../../../provider/config/schema/configSchema";
import { talosSchemas } from "../../../provider/config/schema/talosSchemas";

/** A place of a document that holds a single value or free content. */
export interface SchemaLeaf {
  /** The minor of Talos: 13 is v1.13. */
  readonly minor: number;
  readonly kind: string;
  /** Names of fields; `[]` is an item of a list, and `*` a member of a mapping. */
  readonly path: readonly string[];
  /** The type and the field of the schema that it is in. */
  readonly owner: { readonly type: string; readonly field: string };
  /** Undefined for free content. */
  readonly scalar: ScalarShape | undefined;
}

/** Every leaf of every kind of document of every release. */
export function schemaLeaves(): SchemaLeaf[] {
  return [...talosSchemas].flatMap(([minor, schema]) =>
    [...schema.documents.keys()].flatMap((kind) => {
      const field = schema.document(kind);
      return field === undefined
        ? []
        : leavesOf(field, { type: "", field: "" }).map((leaf) => ({ minor, kind, ...leaf }));
    }),
  );
}

type Leaf = Omit<SchemaLeaf, "minor" | "kind">;

function leavesOf({ shape }: Field, owner: SchemaLeaf["owner"]): Leaf[] {
  const below = (step: string, field: Field, inside = owner): Leaf[] =>
    leavesOf(field, inside).map((leaf) => ({ ...leaf, path: [step, ...leaf.path] }));
  switch (shape.kind) {
    case "struct":
      return [...shape.fields].flatMap(([name, field]) =>
        below(name, field, { type: shape.type, field: name }),
      );
    case "list":
      return below("[]", shape.item);
    case "map":
      return below("*", shape.value);
    case "free":
      return [{ path: ["*"], owner, scalar: undefined }];
    case "scalar":
      return [{ path: [], owner, scalar: shape }];
  }
}

/** A document with a value at one place and nothing else. */
export function documentWith({ kind, path }: SchemaLeaf, value: YamlValue): ConfigDocument {
  const nested = path.reduceRight<YamlValue>(
    (inner, step) => (step === "[]" ? [inner] : { [step === "*" ? "some" : step]: inner }),
    value,
  );
  return {
    ...(kind === "" ? {} : { kind, apiVersion: "v1alpha1" }),
    ...(nested as ConfigDocument),
  };
}
