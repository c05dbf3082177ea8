import { describeChangedMachines } from "../../../cli/engine/changedMachines";
import { etcdMachinesIn, majorityProblem } from "../../../cli/engine/etcdMajority";
import type { StackResource } from "../../../cli/stackResource";
import { dynamicType } from "../../../provider/engine/talosTypes";
import { expectDocumented } from "../../documented";

const etcd = [["c-control-plane-1", "c-control-plane-2", "c-control-plane-3"]];
const stopped = (...numbers: number[]) =>
  numbers.map((number) => ({
    name: `c-control-plane-${number}`,
    instanceId: `i-0123456789abcdef${number - 1}`,
    state: "stopped" as const,
  }));
const lost = (...numbers: number[]) => numbers.map((number) => `c-control-plane-${number}`);

describe("etcd's majority, as AWS knows of it", () => {
  it("comes back with machines that are only stopped", () => {
    const found = { lost: [], moved: [], started: [], stopped: stopped(1, 2), etcd };
    const problem = majorityProblem(found) ?? "";
    expect(problem).toMatch(/1 of 3 members running and needs 2.* is not lost: start /);
    expectDocumented("scaling.md", problem);
    expect(describeChangedMachines(found).at(-1)).toBe(problem);
    expect(majorityProblem({ lost: lost(3), stopped: stopped(2), etcd })).toMatch(/1 of 3/);
  });

  it.each([
    ["one machine is stopped", [], stopped(2)],
    ["one machine is lost", lost(2), []],
    ["two are lost, which needs a restore", lost(1, 2), stopped(3)],
    ["a worker is stopped", [], stopped(1).map((machine) => ({ ...machine, name: "c-apps-1" }))],
  ])("is no matter of a start if %s", (_, gone, off) => {
    expect(majorityProblem({ lost: gone, stopped: off, etcd })).toBeUndefined();
  });

  it("is judged for each cluster of a state", () => {
    const member = (parent: string, name: string) =>
      ({ type: dynamicType("EtcdMember"), parent, name }) as StackResource;
    const other = { ...member("a", "a-web"), type: "aws:ec2/instance:Instance" };
    expect(
      etcdMachinesIn([member("a", "a-1"), other, member("b", "b-1"), member("a", "a-2")]),
    ).toEqual([["a-1", "a-2"], ["b-1"]]);
  });
});
