import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { problemAt } from "../argumentChecks";
import { checkKeyArn } from "../permissions/planNodePolicy";
import type { PropertyProblem } from "../problems";

/** How long a log group that is created keeps records, and who encrypts them. */
export interface LogGroupArgs {
  /** How long records are kept, in days: one of CloudWatch's numbers. Default: 365. */
  readonly retentionDays?: number;
  /**
   * ARN of the key in KMS that encrypts the records. Its policy must let
   * `logs.<region>.amazonaws.com` use it. Default: AWS' own key, free.
   */
  readonly kmsKeyArn?: string;
}

/** What is the same of all log groups of a stack. */
interface LogGroupOptions {
  /** Its name in CloudWatch. Default: one that Pulumi makes of the resource's name. */
  readonly logGroupName?: pulumi.Input<string>;
  readonly tags: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Pulumi refuses to delete it, and the records with it. */
  readonly protect: boolean;
  readonly parent: pulumi.Resource;
}

/** As long as most rules for banks and payments ask, such as PCI DSS 10.5.1. */
const DEFAULT_RETENTION_DAYS = 365;

/** Source: CloudWatch Logs API, `PutRetentionPolicy`. */
const RETENTION_DAYS: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288,
  3653,
];

/** Creates a log group of CloudWatch. */
export function makeLogGroup(
  name: string,
  { retentionDays = DEFAULT_RETENTION_DAYS, kmsKeyArn }: LogGroupArgs,
  { logGroupName, tags, protect, parent }: LogGroupOptions,
): aws.cloudwatch.LogGroup {
  return new aws.cloudwatch.LogGroup(
    name,
    {
      ...(logGroupName !== undefined && { name: logGroupName }),
      retentionInDays: retentionDays,
      ...(kmsKeyArn !== undefined && { kmsKeyId: kmsKeyArn }),
      tags: pulumi.output(tags).apply((more) => ({ Name: name, ...more })),
    },
    { parent, protect },
  );
}

/** All problems of a log group that is to be created. */
export function checkLogGroup({ retentionDays, kmsKeyArn }: LogGroupArgs): PropertyProblem[] {
  return [
    ...problemAt(
      "retentionDays",
      retentionDays !== undefined &&
        !RETENTION_DAYS.includes(retentionDays) &&
        `CloudWatch can't keep records for ${retentionDays} days: take one of ${RETENTION_DAYS.join(", ")}`,
    ),
    ...(kmsKeyArn === undefined ? [] : checkKeyArn("kmsKeyArn", kmsKeyArn)),
  ];
}
