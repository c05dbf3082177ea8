import type { MachineChange, MachineEffect } from "../../preview";
import { quorumSteps } from "../../preview/quorumSteps";

function machines(effect: MachineEffect, ...names: readonly string[]): MachineChange[] {
  return names.map((name) => ({
    name,
    role: "controlplane",
    effect,
    because: [],
    notes: [],
    lines: [],
  }));
}

/** `m-2 joins: 2 of 2, 2 needed` */
function steps(changes: readonly MachineChange[], before: number): string[] {
  return quorumSteps(changes, before).map(
    ({ machine, what, healthy, members, needed }) =>
      `${machine} ${what}: ${healthy} of ${members}, ${needed} needed`,
  );
}

describe("quorumSteps", () => {
  it("counts joining members one by one", () => {
    expect(steps(machines("configured", "m-2", "m-3"), 1)).toEqual([
      "m-2 joins: 2 of 2, 2 needed",
      "m-3 joins: 3 of 3, 2 needed",
    ]);
  });

  it("counts members that are away during their upgrade", () => {
    expect(steps(machines("upgrade", "m-1", "m-2"), 3)).toEqual([
      "m-1 away: 2 of 3, 2 needed",
      "m-2 away: 2 of 3, 2 needed",
    ]);
  });

  it("removes members from the last to the first", () => {
    expect(steps(machines("removed", "m-2", "m-3"), 3)).toEqual([
      "m-3 leaves: 2 of 2, 2 needed",
      "m-2 leaves: 1 of 1, 1 needed",
    ]);
  });

  it("adds all replacements before it removes a member", () => {
    expect(steps(machines("replaced", "m-1", "m-2"), 3)).toEqual([
      "m-1 joins: 4 of 4, 3 needed",
      "m-2 joins: 5 of 5, 3 needed",
      "m-2 leaves: 4 of 4, 3 needed",
      "m-1 leaves: 3 of 3, 2 needed",
    ]);
  });

  it("counts members of lost machines as dead, until another machine takes their place", () => {
    const lost = (...names: readonly string[]) =>
      machines("replaced", ...names).map((one) => ({ ...one, isLost: true }));
    expect(steps(lost("m-2"), 3)).toEqual([
      "m-2 lost: 2 of 3, 2 needed",
      "m-2 joins: 3 of 3, 2 needed",
    ]);
    const [first] = quorumSteps(lost("m-2", "m-3"), 3);
    expect(first).toMatchObject({ what: "lost", healthy: 1, needed: 2, holds: false });
    expect(quorumSteps(lost("m-1"), 1)[0]).toMatchObject({ healthy: 0, needed: 1, holds: false });
  });

  it("says nothing about new or destroyed clusters, and about workers", () => {
    expect(steps(machines("configured", "m-1", "m-2", "m-3"), 0)).toEqual([]);
    expect(steps(machines("removed", "m-1", "m-2", "m-3"), 3)).toEqual([]);
    const workers = machines("reboot", "w-1").map((one) => ({ ...one, role: "worker" as const }));
    expect(steps(workers, 1)).toEqual([]);
  });
});
