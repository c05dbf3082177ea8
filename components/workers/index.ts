// Why this room is as it is: docs/decisions/workers.md.

export type { InstanceRequirementsArgs } from "./autoScalingArgs";
export type { KarpenterPoolArgs } from "./karpenter/karpenterPoolArgs";
export { mostMachines } from "./karpenter/mostMachines";
