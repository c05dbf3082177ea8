import type { MachineChange, MachineEffect } from "../../preview";
import { describeDuration } from "../../preview/duration";

const machines = (
  role: MachineChange["role"],
  effect: MachineEffect,
  count: number,
  isDrained = false,
): MachineChange[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ name: `m-${index}`, role, effect, because: [], notes: [], lines: [] },
    ...(isDrained && { isDrained }),
  }));

describe("the time that a change takes", () => {
  it("adds up control plane machines, which change one after another", () => {
    expect(describeDuration(machines("controlplane", "upgrade", 3))).toBe(
      "about 12 minutes for the control plane, besides drains (rule of thumb)",
    );
    expect(describeDuration(machines("controlplane", "live", 1))).toBe(
      "about 1 minute for the control plane (rule of thumb)",
    );
  });

  it("is that of a batch for workers, by their slowest machine", () => {
    expect(
      describeDuration([
        ...machines("controlplane", "reboot", 1),
        ...machines("worker", "reboot", 20),
        ...machines("worker", "configured", 1),
        ...machines("worker", "removed", 1, true),
      ]),
    ).toBe(
      "about 2 minutes for the control plane, then 3 minutes for each batch of workers, besides drains (rule of thumb)",
    );
  });

  it("is none where no machine changes", () => {
    expect(describeDuration([])).toBeUndefined();
    expect(describeDuration(machines("worker", "forgotten", 1))).toBeUndefined();
  });
});
