import Ajv2020 from "ajv/dist/2020";
import { talosMinor } from "../../../../provider/config/releases/talosMinor";
import {
  type ConfigSchema,
  type Field,
  itemField,
  memberField,
  scalarShape,
} from "../../../../provider/config/schema/configSchema";
import {
  newestSchema,
  talosSchema,
  schemaOfDocuments,
  talosSchemas,
  widestSchema,
} from "../../../../provider/config/schema/talosSchemas";

test.each(["v1.12", "v1.12.1", "1.12.0"])("%s is found by its minor", (version) => {
  expect(talosSchema(version).file["x-talosVersion"]).toMatch(/^v1\.12\./);
});

test("a release that is newer than all known ones is rejected, a newer patch of a known one is not", () => {
  expect(() => talosSchema("v1.99.0")).toThrow("install a newer release of the package");
  expect(talosSchema("v1.14.99")).toBe(newestSchema);
});

test.each(["v1.2.3", "banana", "v2.0.0"])("%s is rejected", (version) => {
  expect(() => talosSchema(version)).toThrow(`Talos "${version}" is not supported`);
});

const minors = ["v1.10", "v1.11", "v1.12", "v1.13", "v1.14"];

function schemaOf(version: string): ConfigSchema {
  const schema = talosSchemas.get(talosMinor(version) ?? 0);
  if (schema === undefined) {
    throw new Error(`no schema of ${version}`);
  }
  return schema;
}

test.each(minors)("the schema of %s is valid", async (version) => {
  const ajv = new Ajv2020({ strict: false });
  expect(await ajv.validateSchema(schemaOf(version).file)).toBe(true);
  expect(await ajv.validateSchema({ type: "texts" })).toBe(false);
});

test.each(minors)(
  "the schema of %s contains each of its documents, and all their references",
  (version) => {
    const schema = schemaOf(version);
    expect(schema.file["x-talosVersion"]).toMatch(`${version}.`);
    const references = JSON.stringify(schema.file).match(/#\/\$defs\/[\w.]+/g) ?? [];
    for (const reference of references) {
      expect(schema.file.$defs).toHaveProperty([reference.replace("#/$defs/", "")]);
    }
    for (const kind of schema.documents.keys()) {
      expect(schema.document(kind)?.shape.kind).toBe("struct");
    }
    expect(schema.document("Unknown")).toBeUndefined();
  },
);

test("a newer Talos reads every kind of document that an older one does", () => {
  const kinds = minors.map((minor) => [...schemaOf(minor).documents.keys()]);
  expect(kinds[0]).toContain("KmsgLogConfig");
  kinds.slice(1).forEach((newer, index) => {
    expect(newer).toEqual(expect.arrayContaining(kinds[index] ?? []));
  });
});

test("the widest schema has every field of every release", () => {
  expect(widestSchema.talosMinor).toBe(14);
  const fieldsOf = ({ file }: ConfigSchema) =>
    Object.entries(file.$defs).flatMap(([type, { properties = {} }]) =>
      Object.keys(properties).map((name) => `${type}.${name}`),
    );
  const widest = new Set(fieldsOf(widestSchema));
  const missing = fieldsOf(newestSchema).filter((field) => !widest.has(field));
  expect(missing).toEqual([]);
});

function fieldAt(version: string, kind: string, ...path: string[]): Field | undefined {
  return path.reduce<Field | undefined>(
    (field, key) => (key === "[]" ? itemField(field) : memberField(field, key)),
    schemaOf(version).document(kind),
  );
}

test.each([
  ["v1.11", "v1.12", "", "machine", "install", "grubUseUKICmdline"],
  ["v1.10", "v1.11", "VolumeConfig", "encryption"],
  ["v1.12", "v1.13", "VolumeConfig", "mount"],
  ["v1.12", "v1.13", "ImageVerificationConfig", "rules"],
  ["v1.12", "v1.13", "", "cluster", "network", "cni", "flannel", "kubeNetworkPoliciesEnabled"],
  ["v1.13", "v1.14", "ResolverConfig", "hostDNS"],
  ["v1.13", "v1.14", "KubeServiceAccountConfig", "issuer", "privateKey"],
])("%s does not know what %s brings: %s %s %s %s", (older, newer, kind, ...path) => {
  expect(fieldAt(older, kind, ...path)).toBeUndefined();
  expect(fieldAt(newer, kind, ...path)).toBeDefined();
});

test("the schemas have the merge rules", () => {
  for (const version of minors) {
    expect(fieldAt(version, "", "cluster", "network", "podSubnets")?.mergeReplace).toBe(true);
    expect(fieldAt(version, "", "machine", "certSANs")?.mergeReplace).toBe(false);
    expect(fieldAt(version, "", "machine", "network", "interfaces")?.shape).toMatchObject({
      mergeBy: ["interface", "deviceSelector"],
    });
  }
  const rules = fieldAt("v1.13", "ImageVerificationConfig", "rules");
  expect(rules?.shape).toMatchObject({ mergeBy: ["image"], item: { mergeReplace: true } });
});

test("v1.14 keeps deprecated fields, and the words of those that its published schema leaves out", () => {
  expect(fieldAt("v1.14", "", "machine", "install", "image")).toBeDefined();
  const { $defs } = schemaOf("v1.14").file;
  expect($defs["v1alpha1.CNIConfig"]?.properties?.name?.enum).toEqual([
    "flannel",
    "custom",
    "none",
  ]);
  expect($defs["v1alpha1.MachineFile"]?.properties?.op?.enum).toEqual([
    "create",
    "append",
    "overwrite",
  ]);
});

test("an argument can be repeated since v1.13", () => {
  const argument = (version: string): Field | undefined =>
    fieldAt(version, "", "machine", "kubelet", "extraArgs", "v");
  expect(argument("v1.12")?.shape.kind).toBe("scalar");
  expect(argument("v1.13")).toMatchObject({ mergeReplace: true, shape: { kind: "list" } });
  expect(scalarShape(argument("v1.13"))?.types).toEqual(["string"]);
  expect(scalarShape(fieldAt("v1.13", "", "machine", "certSANs"))).toBeUndefined();
});

test.each([
  ["v1.10", "UserVolumeConfig", []],
  ["v1.11", "UserVolumeConfig", ["ExistingVolumeConfig"]],
  ["v1.12", "Layer2VIPConfig", ["HCloudVIPConfig"]],
])("in %s a %s conflicts with %j of its name", (version, kind, conflicts) => {
  expect(schemaOf(version).documents.get(kind)?.conflictsWith ?? []).toEqual(conflicts);
});

test.each([
  ["factory.talos.dev/aws-installer/0123abcd:v1.12.1", 12],
  ["ghcr.io/siderolabs/installer:v1.10.0-beta.1", 10],
  ["registry.example.com:5000/installer:v1.11.6@sha256:0123abcd", 11],
  // newer than what is known, or of no release at all
  ["ghcr.io/siderolabs/installer:v1.99.0", 14],
  ["ghcr.io/siderolabs/installer:v1.2.0", 14],
  ["ghcr.io/siderolabs/installer:latest", 14],
  ["registry.example.com:5000/installer", 14],
])("a configuration that installs %s is read by Talos v1.%d", (image, minor) => {
  const config = { machine: { install: { image } } };
  const other = { apiVersion: "v1alpha1", kind: "HostnameConfig" };
  expect(schemaOfDocuments([other, config]).talosMinor).toBe(minor);
});

test("a configuration without an installer gets the newest schema", () => {
  expect(schemaOfDocuments([]).talosMinor).toBe(14);
  expect(schemaOfDocuments([{ machine: {} }]).talosMinor).toBe(14);
});
