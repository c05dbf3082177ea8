import { groupAlike } from "../provider/base";
import { inputWords } from "./inputWords";
import type { ChangedLine } from "./lineDiff";
import type { MachineChange, MachineEffect } from "./machineChange";

/** Machines, or auto scaling groups of machines, with the same description. */
export interface DescribedMachines {
  readonly names: readonly string[];
  /** What happens to them, for example `reboot, for machine.env`. */
  readonly what: string;
  /** The changed lines of their configuration, which begin with `-` or `+`. */
  readonly lines: readonly string[];
}

/** The words for one machine, and for several. */
const effects: Readonly<Record<MachineEffect, readonly [string, string]>> = {
  configured: ["gets its first configuration", "get their first configuration"],
  live: ["applies the change without a reboot", "apply the change without a reboot"],
  reboot: ["reboots", "reboot"],
  open: [
    "gets a configuration that is known once other resources are made, and may reboot",
    "get a configuration that is known once other resources are made, and may reboot",
  ],
  upgrade: ["is drained, upgraded and restarted", "are drained, upgraded and restarted"],
  restart: ["is stopped and started", "are stopped and started"],
  replaced: ["is replaced by an empty machine", "are replaced by empty machines"],
  removed: ["is removed", "are removed"],
  forgotten: [
    "is left as it is, and no longer managed",
    "are left as they are, and no longer managed",
  ],
};

/** The same for machines that are drained first. */
const drained: Partial<typeof effects> = {
  reboot: ["is drained and reboots", "are drained and reboot"],
  open: [
    "gets a configuration that is known once other resources are made, and may be drained and reboot",
    "get a configuration that is known once other resources are made, and may be drained and reboot",
  ],
  replaced: [
    "is drained and replaced by an empty machine",
    "are drained and replaced by empty machines",
  ],
  removed: ["is drained and removed", "are drained and removed"],
};

/** The longest shown value, and the context before a difference, in characters. */
const LONGEST_VALUE = 100;
const LONGEST_START = 40;

/** Describes the changes of machines; machines with the same description are grouped. */
export function describeMachines(machines: readonly MachineChange[]): readonly DescribedMachines[] {
  const groups = groupAlike(machines, ({ effect, isDrained, because, notes, lines }) => [
    effect,
    isDrained,
    because,
    notes,
    lines.flatMap(describeLine),
  ]);
  return groups.map((group) => {
    const [{ effect, isDrained, because, notes, lines }] = group;
    const names = group.map(({ name }) => name);
    const causes = because.map((cause) => inputWords("ConfigurationApply", cause)).join(", ");
    const reason = causes === "" ? "" : `, for ${causes}`;
    const words = isDrained === true ? (drained[effect] ?? effects[effect]) : effects[effect];
    const what = `${words[names.length === 1 ? 0 : 1]}${reason}${notes.map((note) => `; ${note}`).join("")}`;
    return { names, what, lines: lines.flatMap(describeLine) };
  });
}

/** A changed value of a configuration, as lines that begin with `-` or `+`. */
export function describeLine({ path, before, after }: ChangedLine): readonly string[] {
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

/** The length of the common prefix of two texts. */
function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}

/** A shortened text that still shows one place. */
function shorten(text: string, place: number): string {
  if (text.length <= LONGEST_VALUE) {
    return text;
  }
  const start = Math.max(0, Math.min(place - LONGEST_START, text.length - LONGEST_VALUE));
  const end = start + LONGEST_VALUE;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
