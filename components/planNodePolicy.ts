/** An IAM policy, as the JSON that AWS reads. */
export interface PolicyDocument {
  readonly Version: "2012-10-17";
  readonly Statement: readonly {
    readonly Sid: string;
    readonly Effect: "Allow";
    readonly Action: readonly string[];
    readonly Resource?: string;
    readonly Principal?: Readonly<Record<string, string>>;
    readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  }[];
}

/** Who may take the role of a machine: EC2, on behalf of its machines. */
export function planMachineTrust(): PolicyDocument {
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "Machines",
        Effect: "Allow",
        Action: ["sts:AssumeRole"],
        Principal: { Service: "ec2.amazonaws.com" },
      },
    ],
  };
}

/**
 * The least that machines need of AWS: to see themselves and their like. AWS can't narrow these
 * calls to some machines, only to a region. Talos itself calls no AWS API: what it has to know it
 * reads from the metadata service.
 *
 * @param region the region the machines live in
 */
export function planNodePolicy(region: string): PolicyDocument {
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "DescribeMachines",
        Effect: "Allow",
        Action: ["ec2:DescribeInstances", "ec2:DescribeRegions"],
        Resource: "*",
        Condition: { StringEquals: { "aws:RequestedRegion": region } },
      },
    ],
  };
}
