import { problemAt } from "../argumentChecks";
import type { PropertyProblem } from "../problems";

/** A planned machine. */
export interface MachinePlan {
  /** Identifies the machine in its cluster, from `1` on; never changes. */
  readonly key: string;
  /** Key of the zone, and so of the subnet, for its creation. */
  readonly zoneKey: string;
  /**
   * Whether an argument chose the zone. Otherwise the machine stays in the zone of its creation.
   */
  readonly zoneIsChosen: boolean;
}

/** The arguments that decide the machines; see `ControlPlaneArgs`. */
export interface MachineChoices {
  readonly machineCount: number;
  readonly zoneKeys: readonly string[];
  readonly machines?: Readonly<Record<string, { readonly zone?: string | undefined }>> | undefined;
}

/** All problems of what is said of single machines. */
export function checkSpread({
  machineCount,
  zoneKeys,
  machines = {},
}: MachineChoices): PropertyProblem[] {
  const known = zoneKeys.map((each) => `"${each}"`).join(", ");
  return Object.entries(machines).flatMap(([key, { zone }]) => [
    ...problemAt(
      `machines["${key}"]`,
      (!/^[1-9]\d*$/.test(key) || Number(key) > machineCount) &&
        `there is no machine "${key}": machineCount ${machineCount} makes ${keyRange(machineCount)}`,
    ),
    ...problemAt(
      `machines["${key}"].zone`,
      zone !== undefined &&
        !zoneKeys.includes(zone) &&
        `the network has no zone "${zone}": it has ${known}`,
    ),
  ]);
}

/** The machines, assigned to the zones in turn, in the given order. */
export function spreadMachines({
  machineCount,
  zoneKeys,
  machines = {},
}: MachineChoices): MachinePlan[] {
  return Array.from({ length: machineCount }, (_, index) => {
    const key = String(index + 1);
    const chosen = machines[key]?.zone;
    const zoneKey = chosen ?? zoneKeys[index % zoneKeys.length] ?? "";
    return { key, zoneKey, zoneIsChosen: chosen !== undefined };
  });
}

function keyRange(machineCount: number): string {
  return machineCount < 1 ? "none" : machineCount === 1 ? `"1"` : `"1" to "${machineCount}"`;
}
