import { refuseLostMachines } from "../../cli/refuseLostMachines";
import { renderText } from "../../preview";
import { dynamicType } from "../../provider/engine/talosTypes";
import { expectDocumented } from "../documented";
import { apply, configured, instance, staying, type Step, summaryOf } from "./steps";

/** A control plane machine that AWS no longer has, as a preview with a refresh shows it. */
const lost = (name: string): Step[] => [
  { op: "create", type: instance, name, new: { instanceType: "t3.large" } },
  {
    op: "replace",
    type: apply,
    name,
    keys: ["machineId"],
    old: configured({}),
    new: configured({}),
  },
];

describe("a lost control plane machine", () => {
  it("is named, and an etcd that no update brings back is refused", () => {
    const one = summaryOf(...staying("m-1"), ...lost("m-2"), ...staying("m-3"));
    expect(one.machines).toMatchObject([{ name: "m-2", effect: "replaced", isLost: true }]);
    expect(one.quorum.map(({ what, healthy, holds }) => ({ what, healthy, holds }))).toEqual([
      { what: "lost", healthy: 2, holds: true },
      { what: "joins", healthy: 3, holds: true },
    ]);
    expect(one.risks.map(({ reason }) => reason)).toEqual([
      "AWS no longer has it: an empty machine takes its place in etcd",
    ]);
    expect(() => refuseLostMachines(one)).not.toThrow();
    const two = summaryOf(...staying("m-1"), ...lost("m-2"), ...lost("m-3"));
    expect(renderText(two)).toContain("m-2 is lost");
    const refusal =
      'etcd has 1 of 3 members left and needs 2, so this change can\'t bring it back: restore it with "talos-aws restore production --from <snapshot>"; without a snapshot, destroy the stack and create it again';
    expect(() => refuseLostMachines({ ...two, stack: "production" })).toThrow(refusal);
    expectDocumented("scaling.md", refusal);
  });

  it("is replaced before what needs every member of etcd, in an update of its own", () => {
    const reboot = (name: string): Step => ({
      op: "update",
      type: apply,
      name,
      diffs: ["redactedConfiguration"],
      old: configured({}),
      new: configured({ env: { A: "b" } }),
    });
    const upgrade: Step = {
      op: "update",
      type: dynamicType("KubernetesUpgrade"),
      name: "kubernetes",
      old: {},
      new: {},
      diffs: ["images"],
    };
    const later = summaryOf(reboot("m-1"), ...lost("m-2"), ...staying("m-3"));
    const refusal =
      'm-2: AWS no longer has it, and the update would wait in vain: m-1 comes before its replacement, and needs every member of etcd. Set this change back, run "talos-aws up staging" to replace the machine, then make the change again';
    expect(() => refuseLostMachines(later)).toThrow(refusal);
    expectDocumented("scaling.md", refusal);
    expect(later.risks.map(({ code }) => code)).not.toContain("quorumLost");
    const upgraded = summaryOf(upgrade, ...staying("m-1"), ...lost("m-2"), ...staying("m-3"));
    expect(() => refuseLostMachines(upgraded)).toThrow("the upgrade of Kubernetes comes before");
    const earlier = summaryOf(...lost("m-1"), reboot("m-2"), ...staying("m-3"));
    expect(() => refuseLostMachines(earlier)).not.toThrow();
    const all = summaryOf(reboot("m-1"), ...lost("m-2"), ...lost("m-3"));
    expect(() => refuseLostMachines(all)).toThrow("talos-aws restore staging");
  });
});
