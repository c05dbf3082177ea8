import type { PolicyDocument } from "../permissions/policyDocument";

/**
 * Who may take the role that delivers flow logs: the service, for networks of the account that the
 * log group is of.
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
        // Else anybody's flow logs could be delivered by it (the confused deputy).
        Condition: { StringEquals: { "aws:SourceAccount": account } },
      },
    ],
  };
}

/** The least that delivery of flow logs needs: to find one log group and to write into it. */
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
      // AWS can't narrow this call to one group.
      { Sid: "FindLogGroup", Effect: "Allow", Action: ["logs:DescribeLogGroups"], Resource: "*" },
    ],
  };
}
