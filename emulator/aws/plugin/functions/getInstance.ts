import { DescribeInstanceAttributeCommand, DescribeInstancesCommand } from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import type { FunctionKind } from "../functionKind";
import { fromTagList } from "../tags";

/** `aws.ec2.getInstance`, by its id. */
export const getInstance: FunctionKind = {
  token: "aws:ec2/getInstance:getInstance",
  inputs: { instanceId: { type: "string", required: true } },
  invoke: async ({ aws }, inputs) => {
    const instanceId = inputs.requiredString("instanceId");
    const found = await unlessMissing(["InvalidInstanceID.NotFound"], () =>
      aws.ec2.send(new DescribeInstancesCommand({ InstanceIds: [instanceId] })),
    );
    const live = found?.Reservations?.[0]?.Instances?.[0];
    if (live === undefined) {
      throw new Error(`there is no instance "${instanceId}"`);
    }
    const { DisableApiTermination } = await aws.ec2.send(
      new DescribeInstanceAttributeCommand({
        InstanceId: instanceId,
        Attribute: "disableApiTermination",
      }),
    );
    return {
      id: instanceId,
      disableApiTermination: DisableApiTermination?.Value ?? false,
      instanceId,
      instanceState: live.State?.Name ?? "",
      instanceType: live.InstanceType ?? "",
      availabilityZone: live.Placement?.AvailabilityZone ?? "",
      subnetId: live.SubnetId ?? "",
      privateIp: live.PrivateIpAddress ?? "",
      publicIp: live.PublicIpAddress ?? "",
      tags: fromTagList(live.Tags),
    };
  },
};
