import {
  CreateFlowLogsCommand,
  DeleteFlowLogsCommand,
  DescribeFlowLogsCommand,
  LogDestinationType,
  TrafficType,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { oneOf, memberOf, arn } from "../valueRules";

const MISSING = ["InvalidFlowLogId.NotFound"];

/** `aws.ec2.FlowLog` of a VPC; only its tags can change. */
export const flowLog: ResourceKind = {
  type: "aws:ec2/flowLog:FlowLog",
  title: "flow log",
  regional: true,
  inputs: {
    vpcId: { type: "string", required: true, replaces: true },
    trafficType: { type: "string", required: true, replaces: true, rule: memberOf(TrafficType) },
    logDestinationType: {
      type: "string",
      default: "cloud-watch-logs",
      replaces: true,
      rule: memberOf(LogDestinationType),
    },
    logDestination: { type: "string", required: true, replaces: true, rule: arn },
    iamRoleArn: { type: "string", replaces: true, rule: arn },
    maxAggregationInterval: { type: "number", default: 600, replaces: true, rule: oneOf(60, 600) },
  },
  outputs: ["arn", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { FlowLogIds, Unsuccessful } = await context.aws.ec2.send(
      new CreateFlowLogsCommand({
        ResourceType: "VPC",
        ResourceIds: [inputs.requiredString("vpcId")],
        TrafficType: inputs.string("trafficType") as TrafficType | undefined,
        LogDestinationType: inputs.string("logDestinationType") as LogDestinationType | undefined,
        LogDestination: inputs.requiredString("logDestination"),
        DeliverLogsPermissionArn: inputs.string("iamRoleArn"),
        MaxAggregationInterval: inputs.number("maxAggregationInterval"),
        TagSpecifications: tagSpecifications("vpc-flow-log", context.tagsOf(inputs)),
      }),
    );
    const [id] = FlowLogIds ?? [];
    if (id === undefined) {
      // EC2 reports the failure in a successful reply.
      throw new Error(Unsuccessful?.[0]?.Error?.Message ?? "EC2 made no flow log and says not why");
    }
    return id;
  },

  read: async (context, id) => {
    const found = await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DescribeFlowLogsCommand({ FlowLogIds: [id] })),
    );
    const live = found?.FlowLogs?.[0];
    return (
      live && {
        arn: ec2Arn(context, undefined, `vpc-flow-log/${id}`),
        vpcId: live.ResourceId ?? "",
        trafficType: live.TrafficType ?? "",
        logDestinationType: live.LogDestinationType ?? "",
        logDestination: live.LogDestination ?? "",
        iamRoleArn: live.DeliverLogsPermissionArn ?? null,
        maxAggregationInterval: live.MaxAggregationInterval ?? 600,
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () =>
      aws.ec2.send(new DeleteFlowLogsCommand({ FlowLogIds: [id] })),
    );
  },
};
