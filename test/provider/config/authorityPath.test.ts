import { judgeAuthorities } from "../../../provider/config/authorityPath";
import type { ConfigDocument } from "../../../provider/config/machineConfig";

/** The outline of a machine that issues by one and accepts others. */
const machine = (issuing: string, ...accepted: string[]): ConfigDocument => ({
  machine: { ca: { crt: issuing, key: "" }, acceptedCAs: accepted.map((crt) => ({ crt })) },
  cluster: { ca: { crt: "k8s", key: "" } },
});

describe("judgeAuthorities", () => {
  it.each([
    [machine("a"), machine("a", "b"), "another Talos CA is accepted besides the one that issues"],
    [
      machine("a", "b"),
      machine("b", "a"),
      "another Talos CA issues, and the former one is still accepted",
    ],
    [machine("b", "a"), machine("b"), "the Talos CA that was accepted besides is dropped"],
  ])("says what a stage does to a machine", (before, after, note) => {
    expect(judgeAuthorities(before, after)).toEqual({ problems: [], notes: [note] });
  });

  it.each([
    [machine("a"), machine("b", "a"), "doesn't accept the new one yet"],
    [machine("a"), machine("b"), "doesn't accept the new one yet"],
    [machine("a", "b"), machine("b"), "would drop its current one"],
  ])(
    "refuses what would have a machine and its clients refuse each other",
    (before, after, why) => {
      const { problems, notes } = judgeAuthorities(before, after);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(why);
      expect(problems[0]).toContain("set rotation.talosCa to that stage");
      expect(notes).toEqual([]);
    },
  );

  it("judges the Kubernetes CA the same way, and each alone", () => {
    const before = { cluster: { ca: { crt: "a" } } };
    const { problems } = judgeAuthorities(before, { cluster: { ca: { crt: "b" } } });
    expect(problems[0]).toContain("rotation.kubernetesCa");
  });

  it("says nothing where nothing is known", () => {
    expect(judgeAuthorities({}, machine("a"))).toEqual({ problems: [], notes: [] });
    expect(judgeAuthorities(machine("a"), machine("a"))).toEqual({ problems: [], notes: [] });
  });
});
