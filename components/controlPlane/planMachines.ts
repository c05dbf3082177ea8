import { problemAt } from "../argumentChecks";
import {
  checkSpread,
  type MachineChoices,
  type MachinePlan,
  spreadMachines,
} from "../machines/spreadMachines";
import type { PropertyProblem } from "../problems";

const COUNTS: readonly number[] = [1, 3, 5];

/** All problems of the choices for a control plane. */
export function checkMachines(choices: MachineChoices): PropertyProblem[] {
  const { machineCount } = choices;
  return [
    ...problemAt("machineCount", !COUNTS.includes(machineCount) && countProblem(machineCount)),
    ...checkSpread(choices),
  ];
}

/** The machines of a control plane, spread over the zones in the given order. */
export function planMachines(choices: MachineChoices): MachinePlan[] {
  return COUNTS.includes(choices.machineCount) ? spreadMachines(choices) : [];
}

function countProblem(count: number): string {
  const allowed = `take ${COUNTS.slice(0, -1).join(", ")} or ${COUNTS.at(-1) ?? ""}`;
  if (count > 0 && count % 2 === 0) {
    return `${count} control plane machines survive no more losses than ${count - 1}, because etcd needs a majority: ${allowed}`;
  }
  const wayOut = count === 0 ? `. To remove the cluster, run "talos-aws destroy"` : "";
  return `a control plane can't have ${count} machines: ${allowed}${wayOut}`;
}
