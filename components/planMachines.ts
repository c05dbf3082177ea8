import type { PropertyProblem } from "./problems";

/** How many control plane machines a cluster may have. */
const COUNTS: readonly number[] = [1, 3, 5];

/** One machine to make. */
export interface MachinePlan {
  /** Names the machine within its cluster, `1` to `5`; never changes. */
  readonly key: string;
  /** Key of the zone, and so of the subnet, it is made in. */
  readonly zoneKey: string;
  /** Whether that was said for this machine; else it stays where it was first made. */
  readonly zoneIsChosen: boolean;
}

/** What machines are planned from; `ControlPlaneArgs` says what each means. */
export interface MachineChoices {
  readonly machineCount: number;
  readonly zoneKeys: readonly string[];
  readonly machines?: Readonly<Record<string, { readonly zone?: string | undefined }>> | undefined;
}

/** All that is wrong with the choices for a control plane. */
export function checkMachines({
  machineCount,
  zoneKeys,
  machines = {},
}: MachineChoices): PropertyProblem[] {
  const problems: PropertyProblem[] = [];
  if (!COUNTS.includes(machineCount)) {
    problems.push({ property: "machineCount", reason: countProblem(machineCount) });
  }
  const keys = machineKeys(machineCount);
  for (const [key, { zone }] of Object.entries(machines)) {
    if (!keys.includes(key)) {
      const reason = `there is no machine "${key}": machineCount ${machineCount} makes ${quoted(keys)}`;
      problems.push({ property: `machines["${key}"]`, reason });
    }
    if (zone !== undefined && !zoneKeys.includes(zone)) {
      const reason = `the network has no zone "${zone}": it has ${quoted(zoneKeys)}`;
      problems.push({ property: `machines["${key}"].zone`, reason });
    }
  }
  return problems;
}

/** The machines of a control plane, spread over the zones in the order in which they are given. */
export function planMachines({
  machineCount,
  zoneKeys,
  machines = {},
}: MachineChoices): MachinePlan[] {
  return machineKeys(machineCount).map((key, index) => {
    const chosen = machines[key]?.zone;
    const zoneKey = chosen ?? zoneKeys[index % zoneKeys.length] ?? "";
    return { key, zoneKey, zoneIsChosen: chosen !== undefined };
  });
}

function machineKeys(count: number): string[] {
  return COUNTS.includes(count)
    ? Array.from({ length: count }, (_, index) => String(index + 1))
    : [];
}

function countProblem(count: number): string {
  const allowed = `take ${COUNTS.slice(0, -1).join(", ")} or ${COUNTS.at(-1) ?? ""}`;
  if (count > 0 && count % 2 === 0) {
    return `${count} control plane machines survive the loss of no more of them than ${count - 1} do, because etcd needs a majority, and one more can fail: ${allowed}`;
  }
  return `a control plane can't have ${count} machines: ${allowed}`;
}

function quoted(keys: readonly string[]): string {
  return keys.length === 0 ? "none" : keys.map((key) => `"${key}"`).join(", ");
}
