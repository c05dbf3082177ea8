import { judgeAuthorities } from "../../../provider/config/authorityPath";
import { NOT_MADE_YET } from "../../../provider/config/effects/outline";
import type { ConfigDocument } from "../../../provider/config/machineConfig";

const FOUND = "finds the machines that have the new id and secret";
const fields = (id: string, secret: string, machine: ConfigDocument = {}): ConfigDocument => ({
  machine,
  cluster: { id, secret },
});
const document = (clusterID: string, clusterSecret: string): ConfigDocument => ({
  DiscoveryIdentityConfig: { clusterID, clusterSecret },
});
const span = { network: { kubespan: { enabled: true } } };

describe("another identity by which machines find each other", () => {
  it("is told of, whichever part and form changes", () => {
    for (const [before, after] of [
      [fields("a", "s"), fields("b", "t")],
      [fields("a", "s"), fields("a", "t")],
      [fields("a", "s"), document("b", "s")],
      [document("a", "s"), document("a", "t")],
    ] as const) {
      expect(judgeAuthorities(before, after)).toEqual({ problems: [], notes: [FOUND] });
    }
  });

  it("is none if it is the same in another form, or isn't known", () => {
    for (const [before, after] of [
      [fields("a", "s"), fields("a", "s")],
      [fields("a", "s"), document("a", "s")],
      [{}, fields("a", "s")],
      [fields("a", "s"), fields(NOT_MADE_YET, NOT_MADE_YET)],
    ] as const) {
      expect(judgeAuthorities(before, after)).toEqual({ problems: [], notes: [] });
    }
  });

  it("is refused while KubeSpan is on, before or after, and the safe way is named", () => {
    for (const [before, after] of [
      [fields("a", "s", span), fields("b", "t", span)],
      [fields("a", "s"), fields("b", "t", span)],
      [fields("a", "s", span), fields("b", "t")],
      [fields("a", "s"), { ...fields("b", "t"), KubeSpanConfig: { enabled: true } }],
    ] as const) {
      const { problems, notes } = judgeAuthorities(before, after);
      expect(notes).toEqual([]);
      expect(problems.join()).toContain("Turn KubeSpan off in an update of its own");
    }
    const off = { network: { kubespan: { enabled: false } } };
    expect(judgeAuthorities(fields("a", "s", off), fields("b", "t", off)).problems).toEqual([]);
    expect(judgeAuthorities(fields("a", "s", span), fields("a", "s")).problems).toEqual([]);
  });
});
