// Why this room is as it is: docs/decisions/network.md.

export type { RoleStatement } from "./extendRole";
export type { NodePermissions } from "./nodePermissions";
export { type KnownPermissions, planNodePolicy } from "./planNodePolicy";
export {
  partitionOf,
  type PolicyConditions,
  type PolicyDocument,
  type PolicyScope,
  type PolicyStatement,
} from "./policyDocument";
