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

/** Of one machine, and of several. */
const effects: Readonly<Record<MachineEffect, readonly [string, string]>> = {
  configured: ["gets its first configuration", "get their first configuration"],
  live: ["takes the change while it runs", "take the change while they run"],
  reboot: ["reboots", "reboot"],
  upgrade: ["is drained, upgraded and restarted", "are drained, upgraded and restarted"],
  restart: ["is stopped and started", "are stopped and started"],
  replaced: ["is replaced by an empty machine", "are replaced by empty machines"],
  removed: ["is removed", "are removed"],
  forgotten: [
    "is left as it is, and no longer managed",
    "are left as they are, and no longer managed",
  ],
};

/** The same of machines whose nodes are drained before. */
const drained: Partial<typeof effects> = {
  reboot: ["is drained and reboots", "are drained and reboot"],
  replaced: [
    "is drained and replaced by an empty machine",
    "are drained and replaced by empty machines",
  ],
  removed: ["is drained and removed", "are drained and removed"],
};

/** How many characters of a value are shown, and of those before what differs. */
const LONGEST_VALUE = 100;
const LONGEST_START = 40;

/** What becomes of machines in words, those together of which the same is said. */
export function describeMachines(machines: readonly MachineChange[]): readonly DescribedMachines[] {
  const groups = new Map<string, { names: string[]; one: MachineChange }>();
  for (const machine of machines) {
    const { name, effect, isDrained, because, notes, lines } = machine;
    const key = JSON.stringify([effect, isDrained, because, notes, lines.flatMap(describeLine)]);
    const group = groups.get(key) ?? { names: [], one: machine };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ names, one }) => {
    const { effect, isDrained, because, notes, lines } = one;
    const reason = because.length === 0 ? "" : `, for ${because.join(", ")}`;
    const words = isDrained === true ? (drained[effect] ?? effects[effect]) : effects[effect];
    const what = `${words[names.length === 1 ? 0 : 1]}${reason}${notes.map((note) => `; ${note}`).join("")}`;
    return { names, what, lines: lines.flatMap(describeLine) };
  });
}

function describeLine({ path, before, after }: ChangedLine): readonly string[] {
  const place = path.join(".");
  const [old, now] = [before, after].map((value) =>
    value === undefined ? undefined : JSON.stringify(value),
  );
  const common = commonLength(old ?? "", now ?? "");
  return [
    ...(old === undefined ? [] : [`- ${place}: ${shorten(old, common)}`]),
    ...(now === undefined ? [] : [`+ ${place}: ${shorten(now, common)}`]),
  ];
}

/** How many characters two texts begin with alike. */
function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}

/** A text short enough to read, which has to show what is at a place in it. */
function shorten(text: string, place: number): string {
  if (text.length <= LONGEST_VALUE) {
    return text;
  }
  const start = Math.max(0, Math.min(place - LONGEST_START, text.length - LONGEST_VALUE));
  const end = start + LONGEST_VALUE;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
