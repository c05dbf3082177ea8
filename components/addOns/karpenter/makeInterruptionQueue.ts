import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { planQueuePolicy } from "../../permissions/planQueuePolicy";
import type { MadeWith } from "../common/addOn";

/** How long a message waits for Karpenter, in seconds: a machine is gone by then. */
const RETENTION_SECONDS = 300;

/**
 * What EC2 tells of machines, and what AWS plans to do with them. Source: the CloudFormation template of Karpenter's
 * guide; `pkg/controllers/interruption/messages` of aws/karpenter-provider-aws v1.15.2.
 */
const EVENTS = {
  source: ["aws.ec2", "aws.health"],
  "detail-type": [
    "AWS Health Event",
    "EC2 Capacity Reservation Instance Interruption Warning",
    "EC2 Instance Rebalance Recommendation",
    "EC2 Instance State-change Notification",
    "EC2 Spot Instance Interruption Warning",
  ],
};

/**
 * Creates the queue that tells Karpenter of machines that AWS takes away, stops or repairs, and the rule of EventBridge
 * that fills it. EventBridge tells of all machines of the account, and Karpenter leaves out others' messages. A million
 * messages cost $0.40, after the first million of a month (list price in us-east-1, November 2026).
 */
export function makeInterruptionQueue(
  queueName: string,
  { name, tags = {}, parent }: MadeWith,
): void {
  const child = { parent };
  const childName = `${name}-karpenter`;
  const tagged = pulumi.output(tags).apply((more) => ({ Name: childName, ...more }));
  const queue = new aws.sqs.Queue(
    childName,
    {
      name: queueName,
      messageRetentionSeconds: RETENTION_SECONDS,
      sqsManagedSseEnabled: true,
      tags: tagged,
    },
    child,
  );
  const rule = new aws.cloudwatch.EventRule(
    childName,
    {
      description: "What AWS does to machines, for Karpenter",
      eventPattern: JSON.stringify(EVENTS),
      tags: tagged,
    },
    child,
  );
  new aws.sqs.QueuePolicy(
    childName,
    {
      queueUrl: queue.url,
      policy: pulumi
        .all([queue.arn, rule.arn])
        .apply(([queueArn, ruleArn]) => JSON.stringify(planQueuePolicy(queueArn, ruleArn))),
    },
    child,
  );
  new aws.cloudwatch.EventTarget(
    childName,
    { rule: rule.name, targetId: "karpenter", arn: queue.arn },
    child,
  );
}
