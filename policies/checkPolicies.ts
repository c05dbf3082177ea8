import type { JudgedResource, Properties, Violation } from "./rule";
import { allRules, type RuleOptions } from "./rules";

/** A resource in a preview. */
export interface PlannedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly operation: string;
  readonly isProtectedAfter: boolean;
  readonly newInputs: Properties;
  readonly oldOutputs: Properties;
}

/** A violation of a rule. */
export interface PolicyViolation extends Violation {
  /** Name of the rule, for example `encrypted-volumes`. */
  readonly rule: string;
}

/**
 * The policy violations after a change, judged from its preview: in all resources that stay,
 * changed or not. Unknown values are not checked.
 *
 * @param resources of the preview, with secrets as `[secret]`; a resource of type
 * `pulumi:pulumi:Stack` has the stack's outputs in `oldOutputs`
 */
export function checkPolicies(
  resources: readonly PlannedResource[],
  options: RuleOptions = {},
): readonly PolicyViolation[] {
  const judged = resources
    .filter(({ operation }) => operation !== "delete")
    .map(({ urn, type, name, newInputs, oldOutputs, isProtectedAfter }): JudgedResource => ({
      urn,
      type,
      name,
      isProtected: isProtectedAfter,
      inputs: newInputs,
      outputs: oldOutputs,
    }));
  return allRules(options).flatMap((rule) => {
    const violations =
      "judgeAll" in rule
        ? rule.judgeAll(judged)
        : judged.flatMap((resource) =>
            rule
              .judge(resource)
              .map((reason) => ({ urn: resource.urn, subject: resource.name, reason })),
          );
    return violations.map((violation) => ({ rule: rule.name, ...violation }));
  });
}
