import { kubeletSchemaOf } from "../../scripts/kubeletSchema";

it("makes a schema of the types that Go has", () => {
  const types = {
    "config/v1beta1.KubeletConfiguration": {
      list: "[]api/v1.Inner",
      map: "map[]bool",
      port: "int32",
      seconds: "duration",
      size: "quantity",
      weight: "uint32",
    },
    "api/v1.Inner": { text: "string" },
  };
  const root = "config/v1beta1.KubeletConfiguration";
  expect(kubeletSchemaOf({ root, types }, "v0.37.0", "v1.14.1")).toEqual({
    $id: "kubelet-configuration-v0.37.0",
    "x-talosVersion": "v1.14.1",
    "x-documents": [{ kind: "", named: false, type: "v1beta1.KubeletConfiguration" }],
    $defs: {
      "v1.Inner": {
        type: "object",
        additionalProperties: false,
        properties: { text: { type: "string" } },
      },
      "v1beta1.KubeletConfiguration": {
        type: "object",
        additionalProperties: false,
        properties: {
          list: { type: "array", items: { $ref: "#/$defs/v1.Inner" } },
          map: { type: "object", additionalProperties: { type: "boolean" } },
          port: { type: "integer" },
          seconds: { type: "string", format: "duration" },
          size: { type: ["string", "number"] },
          weight: { type: "integer", minimum: 0 },
        },
      },
    },
  });
});

it("refuses a type that it has no schema for", () => {
  const types = { "a.Root": { channel: "chan" } };
  expect(() => kubeletSchemaOf({ root: "a.Root", types }, "v0.1.0", "v1.1.0")).toThrow(
    '"chan" of Go, for which there is no schema yet',
  );
});
