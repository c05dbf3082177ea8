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
  /** Whether it allows the actions, or forbids them whatever others allow. */
  readonly Effect: StatementEffect;
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

/** Whether a statement allows its actions, or forbids them whatever others allow. */
export type StatementEffect = "Allow" | "Deny";

/** A policy of these statements. */
export function policyOf(Statement: readonly PolicyStatement[]): PolicyDocument {
  return { Version: "2012-10-17", Statement };
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

/** A statement that forbids actions, whatever others allow. */
export function forbid(Sid: string, Action: readonly string[]): PolicyStatement {
  return { Sid, Effect: "Deny", Action, Resource: "*" };
}

/** A statement of a bucket's policy: nobody does anything with it without TLS. */
export function onlyOverTls(bucketArn: string) {
  return {
    Sid: "OnlyOverTls",
    Effect: "Deny",
    Principal: "*",
    Action: "s3:*",
    Resource: [bucketArn, `${bucketArn}/*`],
    Condition: { Bool: { "aws:SecureTransport": "false" } },
  };
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
 * Merges statements with the same resources and conditions into the first of them, with each action
 * once and without those that a wildcard among them covers. IAM limits the length of a role's policies.
 */
export function mergeAlike(statements: readonly PolicyStatement[]): PolicyStatement[] {
  const merged = new Map<string, PolicyStatement>();
  for (const statement of statements) {
    const { Effect, Resource, Condition } = statement;
    const key = JSON.stringify([Effect, Resource, Condition]);
    const before = merged.get(key);
    merged.set(key, {
      ...(before ?? statement),
      Action: before ? [...before.Action, ...statement.Action] : statement.Action,
    });
  }
  return [...merged.values()].map((statement) => ({
    ...statement,
    Action: withoutCovered(statement.Action),
  }));
}

function withoutCovered(actions: readonly string[]): string[] {
  const starts = actions.filter((each) => each.endsWith("*")).map((each) => each.slice(0, -1));
  return [...new Set(actions)].filter(
    (action) => action.endsWith("*") || !starts.some((start) => action.startsWith(start)),
  );
}
