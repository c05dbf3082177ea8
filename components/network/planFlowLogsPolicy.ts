import { type PolicyDocument, allow, policyOf } from "../permissions/policyDocument";

/**
 * The trust policy of the role that delivers flow logs: the service, for flow logs in the account and region
 * of the log group. AWS delivers to a group of the network's own region only. Source: Amazon VPC user guide,
 * "IAM role for publishing flow logs to CloudWatch Logs".
 */
export function planFlowLogsTrust(logGroupArn: string): PolicyDocument {
  const [, partition = "", , region = "", account = ""] = logGroupArn.split(":");
  return policyOf([
    {
      Sid: "FlowLogs",
      Effect: "Allow",
      Action: ["sts:AssumeRole"],
      Principal: { Service: "vpc-flow-logs.amazonaws.com" },
      // Otherwise any account's flow logs could use the role (the confused deputy).
      Condition: {
        StringEquals: { "aws:SourceAccount": account },
        ArnLike: { "aws:SourceArn": `arn:${partition}:ec2:${region}:${account}:vpc-flow-log/*` },
      },
    },
  ]);
}

/**
 * The fewest permissions for the delivery of flow logs: to find one log group and to write into it.
 */
export function planFlowLogsPolicy(logGroupArn: string): PolicyDocument {
  const group = logGroupArn.replace(/:\*$/, "");
  const write = ["logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"];
  return policyOf([
    // The second form is that of its streams.
    allow("WriteRecords", write, [group, `${group}:*`]),
    // AWS can't limit this call to one group.
    allow("FindLogGroup", ["logs:DescribeLogGroups"], "*"),
  ]);
}
