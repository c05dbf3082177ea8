import type { SchemaFile } from "../../../provider/config/schema/configSchema";
import schemaV113 from "../../../provider/config/schema/v1.13.json";
import schemaV114 from "../../../provider/config/schema/v1.14.json";
import { compareSchemas } from "../../../scripts/adopt/compareSchemas";

/** A release with one kind, whose document has some fields. */
function release(
  properties: SchemaFile["$defs"][string]["properties"],
  more: Partial<SchemaFile> = {},
): SchemaFile {
  return {
    $id: "a",
    "x-talosVersion": "v1.1.0",
    "x-documents": [{ kind: "OneConfig", type: "a.One", named: false }],
    $defs: {
      "a.One": { type: "object", properties: properties ?? {} },
      "a.Inner": { type: "object", properties: { deep: { type: "string" } } },
    },
    ...more,
  };
}

const nothing = {
  kindsThatCame: [],
  kindsThatWent: [],
  fieldsThatCame: [],
  fieldsThatWent: [],
  deprecated: [],
  changed: [],
  conflicts: [],
};

it("finds nothing between a release and itself", () => {
  const same = release({ one: { $ref: "#/$defs/a.Inner" } });
  expect(compareSchemas(same, same)).toEqual(nothing);
});

it("names what came and went without what is within it", () => {
  const [before, after] = [
    release({ old: { type: "string" } }),
    release({ list: { type: "array", items: { $ref: "#/$defs/a.Inner" } } }),
  ];
  expect(compareSchemas(before, after)).toEqual({
    ...nothing,
    fieldsThatCame: [{ name: "OneConfig: list", type: "list of mapping" }],
    fieldsThatWent: ["OneConfig: old"],
  });
});

it("tells types, words, duties and deprecations apart", () => {
  const before = release({
    type: { type: "string" },
    word: { type: "string", enum: ["a"] },
    kept: { type: "string" },
    inner: { $ref: "#/$defs/a.Inner" },
  });
  const after = release(
    {
      type: { type: "integer" },
      word: { type: "string", enum: ["a", "b"] },
      kept: { type: "string", deprecated: true },
      inner: { $ref: "#/$defs/a.Inner" },
    },
    {},
  );
  const needed: SchemaFile = {
    ...after,
    $defs: {
      ...after.$defs,
      "a.Inner": { type: "object", required: ["deep"], properties: { deep: { type: "string" } } },
    },
  };
  expect(compareSchemas(before, needed)).toEqual({
    ...nothing,
    deprecated: ["OneConfig: kept"],
    changed: [
      { name: "OneConfig: inner.deep", before: "string", after: "string, required" },
      { name: "OneConfig: type", before: "string", after: "integer" },
      { name: "OneConfig: word", before: "string, enum [a]", after: "string, enum [a,b]" },
    ],
  });
});

it("names kinds, and what they conflict with", () => {
  const before = release({});
  const after: SchemaFile = {
    ...before,
    "x-documents": [
      { kind: "OneConfig", type: "a.One", named: false, conflictsWith: ["TwoConfig"] },
      { kind: "TwoConfig", type: "a.Inner", named: true },
    ],
  };
  expect(compareSchemas(before, after)).toEqual({
    ...nothing,
    kindsThatCame: [{ kind: "TwoConfig", fields: ["deep"] }],
    conflicts: [{ name: "OneConfig", before: "", after: "TwoConfig" }],
  });
  expect(compareSchemas(after, before).kindsThatWent).toEqual(["TwoConfig"]);
});

it("finds what v1.14 brought", () => {
  const changes = compareSchemas(schemaV113, schemaV114);
  expect(changes.kindsThatCame).toHaveLength(45);
  expect(changes.kindsThatWent).toEqual([]);
  expect(changes.fieldsThatCame).toContainEqual({
    name: "VolumeConfig: mount.disableAccessTime",
    type: "boolean, pointer, omitEmpty",
  });
  expect(changes.changed.map(({ name }) => name)).toEqual([
    "ResolverConfig: searchDomains.domains",
    "UserVolumeConfig: filesystem.type",
    "v1alpha1: cluster.controlPlane",
  ]);
});
