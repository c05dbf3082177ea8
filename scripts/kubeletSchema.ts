import type { PropertySchema, SchemaFile } from "../provider/config/schema/configSchema";

/** What `scripts/goTypes` prints of kubelet's settings. */
export interface KubeletTypes {
  /** The type of the settings. */
  readonly root: string;
  /** The types of the fields of each type, as Go has them: `int32`, `[]string`, `map[]bool`, a name. */
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * The description of kubelet's settings that `provider/config` checks `machine.kubelet.extraConfig` with,
 * in the form of the schemas of documents. Talos converts the settings strictly into the type that it was
 * built with, whatever kubelet the machine runs (v1.12.1, controllers/k8s/kubelet_spec.go).
 *
 * @param libraries the release of k8s.io/kubelet in the go.mod of Talos, `v0.37.0`
 * @param talosRelease `v1.14.1`
 */
export function kubeletSchemaOf(
  { root, types }: KubeletTypes,
  libraries: string,
  talosRelease: string,
): SchemaFile {
  const definitions = Object.entries(types).map(([type, fields]) => {
    const properties = Object.entries(fields).map(([name, each]) => [name, schemaOf(each)]);
    return [
      withoutGroup(type),
      {
        additionalProperties: false,
        properties: Object.fromEntries(properties) as Record<string, PropertySchema>,
        type: "object",
      },
    ] as const;
  });
  return {
    $defs: Object.fromEntries(definitions.sort(([a], [b]) => (a < b ? -1 : 1))),
    $id: `kubelet-configuration-${libraries}`,
    "x-documents": [{ kind: "", named: false, type: withoutGroup(root) }],
    "x-talosVersion": talosRelease,
  };
}

/** Types that read themselves from JSON, and those of Go. */
const SCALARS: Readonly<Record<string, PropertySchema>> = {
  bool: { type: "boolean" },
  duration: { format: "duration", type: "string" },
  durationOrNumber: { type: ["string", "integer"] },
  float64: { type: "number" },
  intOrString: { type: ["string", "integer"] },
  quantity: { type: ["string", "number"] },
  string: { type: "string" },
  time: { type: "string" },
};

function schemaOf(type: string): PropertySchema {
  const scalar = SCALARS[type];
  if (scalar !== undefined) {
    return scalar;
  }
  if (type.startsWith("[]")) {
    return { items: schemaOf(type.slice(2)), type: "array" };
  }
  if (type.startsWith("map[]")) {
    return { additionalProperties: schemaOf(type.slice(5)), type: "object" };
  }
  const integer = /^(u?)int\d*$/.exec(type);
  if (integer !== null) {
    return integer[1] === "u" ? { minimum: 0, type: "integer" } : { type: "integer" };
  }
  if (!type.includes(".")) {
    throw new Error(
      `kubelet's settings have the type "${type}" of Go, for which there is no schema yet: add it to scripts/kubeletSchema.ts`,
    );
  }
  return { $ref: `#/$defs/${withoutGroup(type)}` };
}

/** `v1beta1.KubeletConfiguration` of `config/v1beta1.KubeletConfiguration`. */
function withoutGroup(type: string): string {
  return type.slice(type.lastIndexOf("/") + 1);
}
