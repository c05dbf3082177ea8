import type { MachineChange } from "../../preview";
import { describeMachines } from "../../preview/describeMachines";

const machine = (name: string, change: Partial<MachineChange> = {}): MachineChange => ({
  name,
  role: "worker",
  effect: "live",
  because: [],
  notes: [],
  lines: [],
  ...change,
});
const line = (before: unknown, after: unknown) => ({ path: ["machine", "a"], before, after });

describe("describeMachines", () => {
  it("uses the singular for one machine and the plural for several", () => {
    const described = describeMachines([
      machine("m-1"),
      machine("m-2", { effect: "reboot", because: ["machine.env"] }),
      machine("m-3"),
    ]);
    expect(described.map(({ names, what }) => `${names.join(", ")} ${what}`)).toEqual([
      "m-1, m-3 apply the change without a reboot",
      "m-2 reboots, for machine.env",
    ]);
  });

  it("names the machines whose nodes are drained before", () => {
    const described = describeMachines([
      machine("m-1", { effect: "removed", isDrained: true }),
      machine("m-2", { effect: "removed" }),
      machine("m-3", { effect: "reboot", isDrained: true }),
    ]);
    expect(described.map(({ names, what }) => `${names.join(", ")} ${what}`)).toEqual([
      "m-1 is drained and removed",
      "m-2 is removed",
      "m-3 is drained and reboots",
    ]);
  });

  it("shows where long values differ", () => {
    const image = `registry.example.com/${"long/".repeat(30)}installer`;
    const [described] = describeMachines([
      machine("m-1", { lines: [line(`${image}:v1.12.0`, `${image}:v1.12.1`)] }),
    ]);
    const [before = "", after = ""] = described?.lines ?? [];
    expect(before).toMatch(/^- machine\.a: ….*installer:v1\.12\.0"$/);
    expect(after).toMatch(/^\+ machine\.a: ….*installer:v1\.12\.1"$/);
    expect(after.length).toBeLessThan(130);
  });

  it("shows the start of new long values", () => {
    const [described] = describeMachines([
      machine("m-1", { lines: [line(undefined, "x".repeat(500))] }),
    ]);
    expect(described?.lines).toEqual([`+ machine.a: "${"x".repeat(99)}…`]);
  });
});
