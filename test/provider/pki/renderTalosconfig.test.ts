import * as fc from "fast-check";
import { parse } from "yaml";
import { renderTalosconfig } from "../../../provider/pki/renderTalosconfig";

const credentials = { ca: "Y2E=", crt: "Y3J0", key: "a2V5" };

test("is laid out as talosctl v1.12.1 writes it", () => {
  const input = {
    clusterName: "prod",
    endpoints: ["10.0.0.1", "api.example"],
    nodes: ["10.0.0.5"],
  };
  expect(renderTalosconfig({ ...input, credentials })).toBe(
    [
      "context: prod",
      "contexts:",
      "    prod:",
      "        endpoints:",
      "            - 10.0.0.1",
      "            - api.example",
      "        nodes:",
      "            - 10.0.0.5",
      "        ca: Y2E=",
      "        crt: Y3J0",
      "        key: a2V5",
      "",
    ].join("\n"),
  );
});

test("has an empty list of endpoints, but no nodes, if there are none", () => {
  const text = renderTalosconfig({ clusterName: "prod", endpoints: [], nodes: [], credentials });
  expect(text).toContain("        endpoints: []\n        ca: ");
  expect(text).not.toContain("nodes");
});

test("keeps long values on one line", () => {
  const ca = "QUJD".repeat(400);
  const text = renderTalosconfig({
    clusterName: "prod",
    endpoints: [],
    nodes: [],
    credentials: { ...credentials, ca },
  });
  expect(text).toContain(`        ca: ${ca}\n`);
});

test("is read back with any names, by YAML 1.1 and 1.2", () => {
  // YAML 1.1 takes a key `<<` for a merge even in quotes; no cluster can be called that.
  const name = fc.string({ minLength: 1 }).filter((text) => text !== "<<");
  const names = fc.array(name, { maxLength: 3 });
  fc.assert(
    fc.property(name, names, names, (clusterName, endpoints, nodes) => {
      const text = renderTalosconfig({ clusterName, endpoints, nodes, credentials });
      const context = { endpoints, ...(nodes.length > 0 ? { nodes } : {}), ...credentials };
      const expected = new Map<string, unknown>([
        ["context", clusterName],
        ["contexts", new Map([[clusterName, new Map(Object.entries(context))]])],
      ]);
      for (const version of ["1.1", "1.2"] as const) {
        expect(parse(text, { version, mapAsMap: true })).toEqual(expected);
      }
    }),
    {
      examples: [
        ["yes", ["123"], ["null"]],
        ["1:30", ["~"], ["0x1f"]],
        ["a", ["[::1]:50000"], []],
      ],
    },
  );
});
