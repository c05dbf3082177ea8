import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { makeLogGroup } from "../logs/logGroup";
import type { FlowLogsArgs, FlowLogTraffic } from "./networkArgs";
import { type NetworkScope, tagged } from "./networkScope";
import { planFlowLogsPolicy, planFlowLogsTrust } from "./planFlowLogsPolicy";

/** The terms of EC2. */
const TRAFFIC_TYPES = {
  all: "ALL",
  accepted: "ACCEPT",
  rejected: "REJECT",
} as const satisfies Record<FlowLogTraffic, string>;

/** Records a network's traffic. A log group needs a role for that. */
export function makeFlowLogs(
  scope: NetworkScope,
  vpcId: pulumi.Output<string>,
  flowLogs: FlowLogsArgs,
): void {
  const { bucketArn, logGroupArn, traffic = "all", intervalSeconds = 600 } = flowLogs;
  const name = `${scope.name}-flow-logs`;
  const child = { parent: scope.parent };
  const tags = tagged(scope, "flow-logs");
  const common = {
    vpcId,
    trafficType: TRAFFIC_TYPES[traffic],
    maxAggregationInterval: intervalSeconds,
    tags,
  };
  if (bucketArn !== undefined) {
    const args = { ...common, logDestinationType: "s3", logDestination: pulumi.output(bucketArn) };
    new aws.ec2.FlowLog(name, args, child);
    return;
  }
  const arn = pulumi.output(logGroupArn ?? makeGroup(scope, flowLogs).arn);
  const role = new aws.iam.Role(
    name,
    {
      description: "Delivers the flow logs of a network",
      assumeRolePolicy: arn.apply((known) => JSON.stringify(planFlowLogsTrust(known))),
      tags,
    },
    child,
  );
  const policy = new aws.iam.RolePolicy(
    name,
    { role: role.name, policy: arn.apply((known) => JSON.stringify(planFlowLogsPolicy(known))) },
    child,
  );
  new aws.ec2.FlowLog(
    name,
    {
      ...common,
      logDestinationType: "cloud-watch-logs",
      logDestination: arn,
      iamRoleArn: role.arn,
    },
    { ...child, dependsOn: policy },
  );
}

/** Its records end with the network, unless that is protected. */
function makeGroup(scope: NetworkScope, flowLogs: FlowLogsArgs) {
  const { parent, protect } = scope;
  const tags = tagged(scope, "flow-logs");
  return makeLogGroup(`${scope.name}-flow-logs`, flowLogs, { tags, protect, parent });
}
