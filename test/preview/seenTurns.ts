import type { EngineEvent } from "@pulumi/pulumi/automation";
import type { SeenMachine, SeenRun } from "./seenRun";

/** What control plane machines did to etcd, one after another. */
export interface SeenTurns {
  /** `m-1 away: 2 of 3, 2 needed, holds`, in the order in which they began. */
  readonly turns: readonly string[];
  /** Turns that weren't one after another. */
  readonly problems: readonly string[];
}

/** A turn, from where to where in the engine's events. */
interface Turn {
  readonly machine: string;
  readonly what: "away" | "joins" | "leaves";
  readonly from: number;
  readonly to: number;
}

const APPLY = "pulumi-nodejs:dynamic/talos:ConfigurationApply";
const INSTANCE = "aws:ec2/instance:Instance";

/** Reads the turns of control plane machines; nothing of a cluster that was made, or has gone. */
export function seenTurns({ events, machines, controlPlanesBefore }: SeenRun): SeenTurns {
  const turns = machines
    .filter(({ role }) => role === "controlplane")
    .flatMap((machine) => turnsOf(machine, events))
    .sort((one, other) => one.from - other.from);
  const problems = turns.flatMap(({ machine, what, from }, index) => {
    const before = turns[index - 1];
    return before !== undefined && before.to > from
      ? [`${machine} ${what} while ${before.machine} ${before.what}`]
      : [];
  });
  let members = controlPlanesBefore;
  const told = turns.map(({ machine, what }) => {
    members += { away: 0, joins: 1, leaves: -1 }[what];
    const healthy = what === "away" ? members - 1 : members;
    const needed = (members - (members % 2)) / 2 + 1;
    const verdict = healthy < needed ? "lost" : "holds";
    return `${machine} ${what}: ${healthy} of ${members}, ${needed} needed, ${verdict}`;
  });
  return controlPlanesBefore === 0 || members === 0
    ? { turns: [], problems: [] }
    : { turns: told, problems };
}

function turnsOf({ name, effect }: SeenMachine, events: readonly EngineEvent[]): readonly Turn[] {
  const turn = (what: Turn["what"], type: string, operations: readonly string[]): Turn => {
    const isIt = (metadata: EngineEvent["resOutputsEvent"] | EngineEvent["resourcePreEvent"]) =>
      metadata?.metadata.type === type &&
      metadata.metadata.urn.endsWith(`::${name}`) &&
      operations.includes(metadata.metadata.op);
    const from = events.findIndex(({ resourcePreEvent }) => isIt(resourcePreEvent));
    const to = events.findLastIndex(({ resOutputsEvent }) => isIt(resOutputsEvent));
    return { machine: name, what, from, to };
  };
  const joins = () => turn("joins", APPLY, ["create", "create-replacement"]);
  const leaves = () => turn("leaves", APPLY, ["delete", "delete-replaced"]);
  switch (effect) {
    case "live":
      return [];
    case "reboot":
    case "open":
    case "upgrade":
      return [turn("away", APPLY, ["update"])];
    case "restart":
      return [turn("away", INSTANCE, ["update"])];
    case "configured":
      return [joins()];
    case "removed":
      return [leaves()];
    case "replaced":
      return [joins(), leaves()];
  }
}
