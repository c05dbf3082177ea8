import { rebootReason } from "../../../emulator/talos/config/immediateChange";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { rebootPaths } from "../../../provider/config/rebootPaths";

const base: ConfigDocument = {
  version: "v1alpha1",
  machine: { type: "worker", features: { rbac: true } },
  cluster: {},
};

/** One change each, as an outline names its place. */
const changes: readonly (readonly string[])[] = [
  ["debug"],
  ["cluster", "network", "dnsDomain"],
  ["machine", "sysctls", "a"],
  ["machine", "features", "kubePrism", "enabled"],
  ["machine", "features", "rbac"],
  ["machine", "env", "A"],
  ["machine", "files"],
  ["machine", "type"],
  ["persist"],
];

describe("rebootPaths", () => {
  // The simulator compares whole configurations, as Talos does; this goes by places.
  it.each(changes.map((path) => [path.join("."), path] as const))(
    "agrees with a machine that gets another %s",
    (_, path) => {
      const changed = changeAt(base, path);
      const needs = rebootReason([base], [changed]) !== undefined;
      expect(rebootPaths([path]).length > 0).toBe(needs);
    },
  );

  it("needs none for other documents", () => {
    expect(
      rebootPaths([
        ["HostnameConfig", "hostname"],
        ["UserVolumeConfig/data", "x"],
      ]),
    ).toEqual([]);
  });
});

function changeAt(
  document: ConfigDocument,
  [key = "", ...rest]: readonly string[],
): ConfigDocument {
  const inner = document[key];
  const mapping = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : {};
  return { ...document, [key]: rest.length === 0 ? "changed" : changeAt(mapping, rest) };
}
