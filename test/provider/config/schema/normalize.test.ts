import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { normalizeDocument } from "../../../../provider/config/schema/normalize";

const normalize = (document: ConfigDocument) => normalizeDocument(document);

test("fields in Talos' order, free keys sorted, unknown ones last", () => {
  const document = normalize({
    cluster: {},
    zzz: 1,
    machine: { kubelet: { extraConfig: { b: 1, a10: 2, a9: { d: 1, c: 1 } } }, type: "worker" },
    version: "v1alpha1",
  });
  expect(Object.keys(document)).toEqual(["version", "machine", "cluster", "zzz"]);
  expect(JSON.stringify((document.machine as ConfigDocument).kubelet)).toBe(
    '{"extraConfig":{"a9":{"c":1,"d":1},"a10":2,"b":1}}',
  );
});

test("empty values are omitted, unless Talos always writes them", () => {
  expect(normalize({ machine: { sysctls: {}, time: null, install: { disk: "" } } })).toEqual({
    version: "",
    machine: { type: "", token: "", certSANs: [], install: { wipe: null } },
    cluster: null,
  });
});

test("an argument is a text or a list of texts, and null when there is neither", () => {
  const extraArgs = { a: true, b: 1.5, c: ["x", 1], d: "", e: null, f: [] };
  expect(normalize({ machine: { kubelet: { extraArgs } } }).machine).toMatchObject({
    kubelet: { extraArgs: { a: "true", b: "1.5", c: ["x", "1"], d: null, e: null, f: [] } },
  });
});

test("it is idempotent, and does not change its input", () => {
  const document = { machine: { nodeLabels: { a: 1 }, time: { bootTimeout: "60s" } } };
  const before = structuredClone(document);
  const once = normalize(document);
  expect(normalize(once)).toEqual(once);
  expect(once).toMatchObject({
    machine: { nodeLabels: { a: "1" }, time: { bootTimeout: "1m0s" } },
  });
  expect(document).toEqual(before);
});
