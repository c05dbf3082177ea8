export type { InstanceRequirementsArgs } from "./autoScalingArgs";
