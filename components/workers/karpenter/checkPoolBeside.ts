import { defined } from "../../defined";
import { DEFAULT_INSTANCE_TYPE } from "../../machines/machineSettings";
import type { PropertyProblem } from "../../problems";
import { checkPoolSettings, type PoolSettings } from "../poolSettings";
import type { KarpenterPoolArgs } from "./karpenterPoolArgs";

/** Settings of other pools that have no effect here, and what to do in their place. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  autoScaling: "a pool is of one kind: leave out one of the two",
  machineCount: "Karpenter chooses their number: leave it out",
  machines: "its machines have no names: leave it out",
  maxUnavailable: "say it as karpenter.budgets",
  drain: "Karpenter drains its machines: leave it out",
  terminationProtection: "Karpenter couldn't end a machine: leave it out",
  instanceType: "say it as karpenter.instanceTypes",
  gpu: "take a pool with machineCount or autoScaling for GPUs",
  ingress: "its machines join no target group: take a pool with machineCount or autoScaling",
  targets: "its machines join no target group: take a pool with machineCount or autoScaling",
  placementGroup: "take a pool with machineCount or autoScaling for it",
  capacityReservation: "take a pool with machineCount or autoScaling for it",
  cpuCredits: "Karpenter can't choose them: leave it out",
};

/** Tags that Karpenter keeps for itself (the definition of `EC2NodeClass`, Karpenter v1.15.2). */
const KEPT_TAGS =
  /^(kubernetes\.io\/cluster.*|karpenter\.sh\/(nodepool|nodeclaim)|karpenter\.k8s\.aws\/ec2nodeclass|eks:eks-cluster-name)$/;

/** All problems of the other settings of a pool whose machines Karpenter launches. */
export function checkPoolBeside(
  pool: Omit<PoolSettings, "instanceType"> & {
    readonly tags?: Readonly<Record<string, unknown>>;
    readonly imageId?: unknown;
    readonly imageName?: unknown;
    readonly karpenter: KarpenterPoolArgs;
  },
): PropertyProblem[] {
  const given: Readonly<Record<string, unknown>> = { ...pool };
  const { tags = {}, karpenter } = pool;
  const isOneImage = pool.imageId !== undefined || pool.imageName !== undefined;
  const isSeveral = (karpenter.architectures?.length ?? 1) > 1;
  return [
    ...Object.entries(WITHOUT_EFFECT)
      .filter(([property]) => given[property] !== undefined)
      .map(([property, instead]) => ({
        property,
        reason: `it has no effect on machines that Karpenter launches: ${instead}`,
      })),
    ...Object.keys(tags)
      .filter((key) => KEPT_TAGS.test(key))
      .map((key) => ({
        property: `tags["${key}"]`,
        reason: "Karpenter sets it itself, and refuses it: leave it out",
      })),
    ...(isOneImage && isSeveral
      ? [
          {
            property: "karpenter.architectures",
            reason:
              "an image is of one architecture, and imageId or imageName names one: make a pool for each",
          },
        ]
      : []),
    ...checkPoolSettings(defined({ ...pool, instanceType: DEFAULT_INSTANCE_TYPE })).filter(
      ({ property }) => WITHOUT_EFFECT[property.split(/[.[]/)[0] ?? ""] === undefined,
    ),
  ];
}
