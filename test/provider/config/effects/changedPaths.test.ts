import { changedPaths } from "../../../../provider/config/effects/changedPaths";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";

const places = (before: ConfigDocument, after: ConfigDocument) =>
  changedPaths(before, after).map((path) => path.join("."));

describe("changedPaths", () => {
  it("names the deepest places that differ, in the order of their keys", () => {
    const before = { machine: { type: "worker", env: { A: "1" } }, cluster: { id: "x" } };
    const after = { machine: { type: "worker", env: { A: "2", B: "1" } }, cluster: { id: "y" } };
    expect(places(before, after)).toEqual(["cluster.id", "machine.env.A", "machine.env.B"]);
    expect(places(before, before)).toEqual([]);
  });

  it("descends into mappings of one side only, and treats lists and empty mappings as a whole", () => {
    expect(places({}, { machine: { env: { A: "1" } } })).toEqual(["machine.env.A"]);
    expect(places({ machine: { env: { A: "1" } } }, {})).toEqual(["machine.env.A"]);
    expect(places({ certSANs: ["a"] }, { certSANs: ["a", "b"] })).toEqual(["certSANs"]);
    expect(places({}, { VolumeConfig: {} })).toEqual(["VolumeConfig"]);
    expect(places({ proxy: { disabled: true } }, { proxy: "off" })).toEqual(["proxy"]);
  });
});
