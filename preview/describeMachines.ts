import type { ChangedLine } from "./lineDiff";
import type { MachineChange, MachineEffect } from "./machineChange";

/** Machines for which the same is said. */
export interface DescribedMachines {
  readonly names: readonly string[];
  /** What becomes of them, for example `reboot, for machine.env`. */
  readonly what: string;
  /** What changes in their configuration: lines that begin with `-` or `+`. */
  readonly lines: readonly string[];
}

const effects: Readonly<Record<MachineEffect, string>> = {
  configured: "gets its first configuration",
  live: "takes the change while it runs",
  reboot: "reboots",
  restart: "is stopped and started",
  replaced: "is replaced by an empty machine",
  removed: "is removed",
  forgotten: "is left as it is, and no longer managed",
};

/** How many characters of a value are shown. */
const LONGEST_VALUE = 100;

/** What becomes of machines in words, those together of which the same is said. */
export function describeMachines(machines: readonly MachineChange[]): readonly DescribedMachines[] {
  const groups = new Map<string, { names: string[]; what: string; lines: readonly string[] }>();
  for (const { name, effect, because, lines } of machines) {
    const what = `${effects[effect]}${because.length === 0 ? "" : `, for ${because.join(", ")}`}`;
    const described = lines.flatMap(describeLine);
    const key = JSON.stringify([what, described]);
    const group = groups.get(key) ?? { names: [], what, lines: described };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function describeLine({ path, before, after }: ChangedLine): readonly string[] {
  const place = path.join(".");
  return [
    ...(before === undefined ? [] : [`- ${place}: ${describeValue(before)}`]),
    ...(after === undefined ? [] : [`+ ${place}: ${describeValue(after)}`]),
  ];
}

function describeValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
