import { FIRST_DELIVERIES } from "../../provider/lifecycle/delivery";
import { checkWord, wholeNumber } from "../argumentChecks";
import { architectureOf, workerTypeProblem } from "../machines/instanceType";
import { FIRST_CONTACTS } from "../machines/machineConsole";
import {
  checkMetadataHopLimit,
  checkRootVolume,
  checkVolumeKey,
  DEFAULT_ROOT_VOLUME_GIB,
} from "../machines/makeMachine";
import { checkNodeDrain, type NodeDrainArgs } from "../machines/nodeDrain";
import { checkPlacement } from "../machines/placement";
import { checkSpread, type MachineChoices, spreadMachines } from "../machines/spreadMachines";
import { checkDataVolumes, checkRootSpeed } from "../machines/volumes";
import type { PropertyProblem } from "../problems";
import { checkMaxUnavailable } from "./maxUnavailable";
import type { WorkerMachinesArgs, WorkerPoolArgs } from "./workerPoolArgs";

/** Two virtual processors and 8 GiB of memory. */
export const DEFAULT_WORKER_TYPE = "m6i.large";

/** The most machines of a pool; AWS' own quotas are lower. */
const MAX_MACHINES = 1_000;

/** The security groups of a network interface. Source: Amazon VPC quotas, L-2AFB9258. */
const MAX_GROUPS = 5;

/** The arguments of machines that are checked before creation. */
export type WorkerMachineChoices = Pick<
  WorkerMachinesArgs,
  | "capacityReservation"
  | "dataVolumes"
  | "instanceType"
  | "kmsKeyId"
  | "metadataHopLimit"
  | "moreSecurityGroupIds"
  | "placementGroup"
  | "rootVolume"
  | "rootVolumeSizeGib"
  | "targets"
>;

/** All problems of what the machines of a pool are made of. */
export function checkWorkerMachines(choices: WorkerMachineChoices): PropertyProblem[] {
  const { instanceType = DEFAULT_WORKER_TYPE, metadataHopLimit, rootVolumeSizeGib } = choices;
  const type = workerTypeProblem(instanceType);
  return [
    ...(type === undefined ? [] : [{ property: "instanceType", reason: type }]),
    ...checkMetadataHopLimit(metadataHopLimit),
    ...checkRootVolume(rootVolumeSizeGib),
    ...checkRootSpeed(choices.rootVolume, rootVolumeSizeGib ?? DEFAULT_ROOT_VOLUME_GIB),
    ...checkDataVolumes(choices.dataVolumes),
    ...checkVolumeKey(choices.kmsKeyId),
    ...checkGroups(choices.moreSecurityGroupIds ?? []),
    ...checkTargets(choices.targets ?? {}),
  ];
}

function checkGroups(groups: readonly unknown[]): PropertyProblem[] {
  const reason = `${groups.length} groups are too many: AWS allows ${MAX_GROUPS} for a network interface, and one is the workers' own`;
  return [
    ...(groups.length < MAX_GROUPS ? [] : [{ property: "moreSecurityGroupIds", reason }]),
    ...groups.flatMap((group, index) =>
      typeof group !== "string" || /^sg-[0-9a-f]{8,}$/.test(group)
        ? []
        : [
            {
              property: `moreSecurityGroupIds[${index}]`,
              reason: `"${group}" is no id of a security group: write it as in "sg-0123456789abcdef0"`,
            },
          ],
    ),
  ];
}

function checkTargets(targets: NonNullable<WorkerMachinesArgs["targets"]>): PropertyProblem[] {
  return Object.entries(targets).flatMap(([key, { targetGroupArn, port }]) => {
    const path = `targets["${key}"]`;
    const isArn = /^arn:[a-z-]+:elasticloadbalancing:[a-z0-9-]+:\d{12}:targetgroup\/[\w-]+\/\w+$/;
    return [
      ...(/^[a-z][a-z0-9-]{0,31}$/.test(key)
        ? []
        : [
            {
              property: path,
              reason: `"${key}" is no name: 1 to 32 lower-case letters, digits and "-", starting with a letter`,
            },
          ]),
      ...(typeof targetGroupArn !== "string" || isArn.test(targetGroupArn)
        ? []
        : [
            {
              property: `${path}.targetGroupArn`,
              reason: `"${targetGroupArn}" is no ARN of a target group: AWS writes them as in "arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/web/0123456789abcdef"`,
            },
          ]),
      ...wholeNumber(`${path}.port`, port, 1, 65_535),
    ];
  });
}

/** All problems of a pool with a fixed number of machines. */
export function checkFixedPool(
  choices: WorkerMachineChoices &
    Pick<
      WorkerPoolArgs,
      "machineCount" | "machines" | "delivery" | "firstContact" | "maxUnavailable"
    > & {
      readonly drain?: NodeDrainArgs;
    },
  zoneKeys: readonly string[],
): PropertyProblem[] {
  const { machineCount, machines } = choices;
  const fits = Number.isInteger(machineCount) && machineCount >= 0 && machineCount <= MAX_MACHINES;
  return [
    ...checkWorkerMachines(choices),
    ...checkMaxUnavailable(choices.maxUnavailable),
    ...checkNodeDrain(choices.drain),
    ...checkWord("delivery", choices.delivery, FIRST_DELIVERIES),
    ...checkWord("firstContact", choices.firstContact, FIRST_CONTACTS),
    ...(fits
      ? [
          ...checkSpread({ machineCount, zoneKeys, machines }),
          ...checkPlacement({
            ...choices,
            instanceTypes: [choices.instanceType ?? DEFAULT_WORKER_TYPE],
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
    const property = `moreInstanceTypes[${index}]`;
    const reason = workerTypeProblem(type);
    if (reason !== undefined) {
      return [{ property, reason }];
    }
    if (architectureOf(type) !== architectureOf(first)) {
      return [
        {
          property,
          reason: `"${type}" is ${architectureOf(type)} and "${first}" is ${architectureOf(first)}, and the pool boots one image: make a pool for each architecture`,
        },
      ];
    }
    return type === first || moreInstanceTypes.indexOf(type) < index
      ? [{ property, reason: `"${type}" is named twice` }]
      : [];
  });
}
