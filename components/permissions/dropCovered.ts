import type { PolicyStatement } from "./policyDocument";

/**
 * Removes actions that another statement already allows by a wildcard such as `ec2:Describe*`, for
 * the same resources and conditions. This saves space, because IAM limits a role's policies. A
 * statement without remaining actions is removed.
 */
export function dropCovered(statements: readonly PolicyStatement[]): PolicyStatement[] {
  return statements.flatMap((statement) => {
    const patterns = statements
      .filter((other) => isAlike(statement, other))
      .flatMap(({ Action }) => Action)
      .filter((action) => action.endsWith("*"))
      .map((action) => action.slice(0, -1));
    const Action = statement.Action.filter(
      (action) => action.endsWith("*") || !patterns.some((start) => action.startsWith(start)),
    );
    return Action.length === 0 ? [] : [{ ...statement, Action }];
  });
}

function isAlike(one: PolicyStatement, other: PolicyStatement): boolean {
  const what = ({ Resource, Condition }: PolicyStatement) => JSON.stringify([Resource, Condition]);
  return what(one) === what(other);
}
