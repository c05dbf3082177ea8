import { FIRST_DELIVERIES } from "../../provider/lifecycle";
import { checkWord, problemAt } from "../argumentChecks";
import { architectureOf, workerTypeProblem } from "../machines/instanceType";
import { FIRST_CONTACTS } from "../machines/machineConsole";
import { DEFAULT_INSTANCE_TYPE } from "../machines/machineSettings";
import { checkNodeDrain, type NodeDrainArgs } from "../machines/nodeDrain";
import { checkPlacement } from "../machines/placement";
import { checkSpread, type MachineChoices, spreadMachines } from "../machines/spreadMachines";
import type { PropertyProblem } from "../problems";
import { checkMaxUnavailable } from "./maxUnavailable";
import { checkPoolSettings, type PoolSettings } from "./poolSettings";
import type { FixedPoolSettings, WorkerPoolArgs } from "./workerPoolArgs";

/** The most machines of a pool; AWS' own quotas are lower. */
const MAX_MACHINES = 1_000;

/** All problems of a pool with a fixed number of machines. */
export function checkFixedPool(
  choices: PoolSettings &
    FixedPoolSettings &
    Pick<WorkerPoolArgs, "delivery" | "firstContact"> & { readonly drain?: NodeDrainArgs },
  zoneKeys: readonly string[],
): PropertyProblem[] {
  const { machineCount, machines } = choices;
  const fits = Number.isInteger(machineCount) && machineCount >= 0 && machineCount <= MAX_MACHINES;
  return [
    ...checkPoolSettings(choices),
    ...checkMaxUnavailable(choices.maxUnavailable),
    ...checkNodeDrain(choices.drain),
    ...checkWord("delivery", choices.delivery, FIRST_DELIVERIES),
    ...checkWord("firstContact", choices.firstContact, FIRST_CONTACTS),
    ...(fits
      ? [
          ...checkSpread({ machineCount, zoneKeys, machines }),
          ...checkPlacement({
            ...choices,
            instanceTypes: [choices.instanceType ?? DEFAULT_INSTANCE_TYPE],
            count: machineCount,
            zoneKeys: zonesOfMachines({ machineCount, zoneKeys, machines }),
          }),
        ]
      : [
          {
            property: "machineCount",
            reason: `a pool can't have ${machineCount} machines: give a whole number from 0 to ${MAX_MACHINES}`,
          },
        ]),
  ];
}

/** The zones that have a machine: a small pool doesn't use all of its zones. */
export function zonesOfMachines(choices: MachineChoices): string[] {
  return [...new Set(spreadMachines(choices).map(({ zoneKey }) => zoneKey))];
}

/** All problems of equivalent instance types. */
export function checkMoreTypes(
  first: string,
  moreInstanceTypes: readonly string[],
): PropertyProblem[] {
  return moreInstanceTypes.flatMap((type, index) => {
    const isTwice = type === first || moreInstanceTypes.indexOf(type) < index;
    return problemAt(
      `moreInstanceTypes[${index}]`,
      workerTypeProblem(type) ??
        (architectureOf(type) === architectureOf(first)
          ? isTwice && `"${type}" is named twice`
          : `"${type}" is ${architectureOf(type)} and "${first}" is ${architectureOf(first)}, and the pool boots one image: make a pool for each architecture`),
    );
  });
}
