import type { PolicyStatement } from "./policyDocument";

/**
 * The statements, without actions that another one allows on the same things and conditions by a wildcard, as
 * `ec2:Describe*`: a role has little room. A statement of which nothing is left goes.
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
