import {
  AllocateAddressCommand,
  type DomainType,
  DescribeAddressesCommand,
  ReleaseAddressCommand,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";

const MISSING = ["InvalidAllocationID.NotFound", "InvalidAddress.NotFound"];

/** `aws.ec2.Eip`, one that something else is given: it is attached to nothing by itself. */
export const eip: ResourceKind = {
  type: "aws:ec2/eip:Eip",
  title: "elastic IP address",
  regional: true,
  inputs: { domain: { type: "string", computed: true, replaces: true } },
  outputs: [
    "allocationId",
    "arn",
    "associationId",
    "networkInterface",
    "privateIp",
    "publicIp",
    "tagsAll",
  ],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { AllocationId } = await context.aws.ec2.send(
      new AllocateAddressCommand({
        Domain: inputs.string("domain") as DomainType | undefined,
        TagSpecifications: tagSpecifications("elastic-ip", context.tagsOf(inputs)),
      }),
    );
    return AllocationId ?? "";
  },

  read: async (context, id) => {
    const found = await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DescribeAddressesCommand({ AllocationIds: [id] })),
    );
    const live = found?.Addresses?.[0];
    return (
      live && {
        allocationId: id,
        arn: ec2Arn(context, live.NetworkInterfaceOwnerId, `elastic-ip/${id}`),
        domain: live.Domain ?? "",
        publicIp: live.PublicIp ?? "",
        associationId: live.AssociationId ?? "",
        networkInterface: live.NetworkInterfaceId ?? "",
        privateIp: live.PrivateIpAddress ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  delete: async ({ aws, signal }, id) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["InvalidIPAddress.InUse", "AuthFailure"], signal, () =>
        aws.ec2.send(new ReleaseAddressCommand({ AllocationId: id })),
      ),
    );
  },
};
