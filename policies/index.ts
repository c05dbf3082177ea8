export { checkPolicies, type PlannedResource, type PolicyViolation } from "./checkPolicies";
export { crossGuardPolicies, type ResourcePolicy, type StackPolicy } from "./crossGuardPolicies";
export { isWorldRange } from "./rules/closedTalosApi";
export type { JudgedResource, ResourceRule, Rule, StackRule, Violation } from "./rule";
export { allRules, type RuleOptions } from "./rules";
