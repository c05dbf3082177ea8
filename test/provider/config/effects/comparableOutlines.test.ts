import { changeEffects, rebootPaths } from "../../../../provider/config/effects/changeEffects";
import { comparableOutlines } from "../../../../provider/config/effects/comparableOutlines";
import { outlineDocuments } from "../../../../provider/config/effects/outline";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";

const machine = (secret: string, password: string): ConfigDocument[] => [
  {
    version: "v1alpha1",
    machine: {
      type: "worker",
      registries: { config: { "r.example.com": { auth: { username: "u", password } } } },
    },
    cluster: { id: "a", secret },
  },
];
const before = machine("first", "hunter2");
const pathsOf = (one: ConfigDocument, other: ConfigDocument) =>
  changeEffects(one, other, 12).map(({ path }) => path.join("."));

describe("outlines of before and after a rotation of the cluster's secret", () => {
  it("differ in no secret that a person chose, so nothing reboots for it", () => {
    const [old, now] = [before, machine("second", "hunter2")].map((each) => outlineDocuments(each));
    expect(old).not.toEqual(now);
    expect(pathsOf(old ?? {}, now ?? {})).toEqual(["cluster.secret"]);
    expect(rebootPaths(old ?? {}, now ?? {}, 12)).toEqual([]);
  });

  it("say exactly what changed if one is keyed by the other's secret", () => {
    const old = outlineDocuments(before);
    const same = outlineDocuments(machine("second", "hunter2"), { keyedBy: before });
    const other = outlineDocuments(machine("first", "other"));
    expect(same.machine).toEqual(old.machine);
    expect(rebootPaths(old, other, 12)).not.toEqual([]);
    expect(outlineDocuments(machine("second", "other"), { keyedBy: before }).machine).toEqual(
      other.machine,
    );
  });

  it("are as they were while the secret is the same, or isn't known", () => {
    const old = outlineDocuments(before);
    const other = outlineDocuments(machine("first", "other"));
    expect(comparableOutlines(old, other)).toEqual([old, other]);
    expect(comparableOutlines({}, other)).toEqual([{}, other]);
  });
});
