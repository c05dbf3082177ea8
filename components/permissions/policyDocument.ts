/** An IAM policy, as the JSON that AWS reads. */
export interface PolicyDocument {
  readonly Version: "2012-10-17";
  readonly Statement: readonly PolicyStatement[];
}

/** One statement of a policy. */
export interface PolicyStatement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Principal?: Readonly<Record<string, string>>;
  readonly Condition?: PolicyConditions;
}

/** The conditions of a statement: by operator and key, the allowed values. */
export type PolicyConditions = Readonly<
  Record<string, Readonly<Record<string, string | readonly string[]>>>
>;

/** The cluster and region of a policy. */
export interface PolicyScope {
  /** The machines' region. */
  readonly region: string;
  /** Name of the cluster, part of its tag's key. */
  readonly clusterName: string;
}

/** A statement that allows actions. */
export function allow(
  Sid: string,
  Action: readonly string[],
  Resource: string | readonly string[],
  Condition?: PolicyConditions,
): PolicyStatement {
  return { Sid, Effect: "Allow", Action, Resource, ...(Condition && { Condition }) };
}

/** The partition of a region, the second part of every ARN. */
export function partitionOf(region: string): string {
  if (region.startsWith("cn-")) {
    return "aws-cn";
  }
  return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
}

/** Limits calls to the machines' region. */
export function inRegion({ region }: PolicyScope) {
  return { StringEquals: { "aws:RequestedRegion": region } };
}

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
