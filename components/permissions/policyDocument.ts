/** An IAM policy, as the JSON that AWS reads. */
export interface PolicyDocument {
  /** The version of the policy language. */
  readonly Version: "2012-10-17";
  /** What it allows. */
  readonly Statement: readonly PolicyStatement[];
}

/** One statement of a policy. */
export interface PolicyStatement {
  /** Its name within the policy. */
  readonly Sid: string;
  /** Policies of this package only allow. */
  readonly Effect: "Allow";
  /** Actions such as `ec2:DescribeInstances`. */
  readonly Action: readonly string[];
  /** ARNs of the resources. */
  readonly Resource?: string | readonly string[];
  /** Who may do it, in the policy of a resource. */
  readonly Principal?: Readonly<Record<string, string | readonly string[]>>;
  /** Its conditions. Default: none. */
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
