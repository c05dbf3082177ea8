import { newestSchema, talosSchema } from "../../../provider/config/talosSchemas";

test.each(["v1.12", "v1.12.1", "1.12.0"])("%s is found by its minor", (version) => {
  expect(talosSchema(version).file["x-talosVersion"]).toMatch(/^v1\.12\./);
});

test("a release newer than all that are known is read by the newest", () => {
  expect(talosSchema("v1.99.0")).toBe(newestSchema);
});

test.each(["v1.2.3", "banana", "v2.0.0"])("%s is refused", (version) => {
  expect(() => talosSchema(version)).toThrow(`Talos "${version}" is not supported`);
});

test.each(["v1.12"])(
  "the schema of %s knows each of its documents, and all that these refer to",
  (version) => {
    const schema = talosSchema(version);
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
