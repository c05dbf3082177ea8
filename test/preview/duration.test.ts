import type { MachineChange, MachineEffect, ScalingGroupChange } from "../../preview";
import { describeDuration } from "../../preview/duration";

const machines = (
  role: MachineChange["role"],
  effect: MachineEffect,
  count: number,
  isDrained = false,
): MachineChange[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `m-${index}`,
    role,
    effect,
    because: [],
    notes: [],
    lines: [],
    ...(isDrained && { isDrained }),
  }));

const durationOf = (...changes: MachineChange[]) =>
  describeDuration({ machines: changes, scalingGroups: [] });

describe("the time that a change takes", () => {
  it("adds up control plane machines, which change one after another", () => {
    expect(durationOf(...machines("controlplane", "upgrade", 3))).toBe(
      "about 12 minutes for the control plane, besides drains (rule of thumb)",
    );
    expect(durationOf(...machines("controlplane", "live", 1))).toBe(
      "about 1 minute for the control plane (rule of thumb)",
    );
  });

  it("is that of a batch for workers, by their slowest machine", () => {
    expect(
      durationOf(
        ...machines("controlplane", "reboot", 1),
        ...machines("worker", "reboot", 20),
        ...machines("worker", "configured", 1),
        ...machines("worker", "removed", 1, true),
      ),
    ).toBe(
      "about 2 minutes for the control plane, then 3 minutes for each batch of workers, besides drains (rule of thumb)",
    );
  });

  it("is that of a batch for groups whose machines AWS replaces", () => {
    const group = (effect: ScalingGroupChange["effect"]) => ({
      name: "c-batch-a",
      effect,
      because: [],
      lines: [],
      shrinks: false,
    });
    const scalingGroups = [group("refreshed"), group("ended")];
    expect(describeDuration({ machines: machines("worker", "live", 1), scalingGroups })).toBe(
      "about 1 minute for each batch of workers, then 5 minutes for each batch of an auto scaling group, besides drains (rule of thumb)",
    );
    expect(describeDuration({ machines: [], scalingGroups: [group("later")] })).toBeUndefined();
  });

  it("is none where no machine changes", () => {
    expect(durationOf()).toBeUndefined();
    expect(durationOf(...machines("worker", "forgotten", 1))).toBeUndefined();
  });
});
