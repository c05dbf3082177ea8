import type { PolicyDocument } from "../permissions/policyDocument";

/**
 * The trust policy of the role that delivers flow logs: the service, for networks in the account of
 * the log group.
 */
export function planFlowLogsTrust(logGroupArn: string): PolicyDocument {
  const account = logGroupArn.split(":")[4] ?? "";
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "FlowLogs",
        Effect: "Allow",
        Action: ["sts:AssumeRole"],
        Principal: { Service: "vpc-flow-logs.amazonaws.com" },
        // Otherwise any account's flow logs could use the role (the confused deputy).
        Condition: { StringEquals: { "aws:SourceAccount": account } },
      },
    ],
  };
}

/**
 * The fewest permissions for the delivery of flow logs: to find one log group and to write into it.
 */
export function planFlowLogsPolicy(logGroupArn: string): PolicyDocument {
  const group = logGroupArn.replace(/:\*$/, "");
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "WriteRecords",
        Effect: "Allow",
        Action: ["logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"],
        Resource: `${group}:*`,
      },
      // AWS can't limit this call to one group.
      { Sid: "FindLogGroup", Effect: "Allow", Action: ["logs:DescribeLogGroups"], Resource: "*" },
    ],
  };
}
