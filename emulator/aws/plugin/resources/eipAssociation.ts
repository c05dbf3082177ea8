import {
  AssociateAddressCommand,
  DescribeAddressesCommand,
  DisassociateAddressCommand,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import type { ResourceKind } from "../resourceKind";

const MISSING = ["InvalidAssociationID.NotFound"];

const TARGET = {
  type: "string",
  computed: true,
  replaces: true,
  exactlyOneOf: ["instanceId", "networkInterfaceId"],
} as const;

/** `aws.ec2.EipAssociation`, which associates an elastic IP address with a machine. */
export const eipAssociation: ResourceKind = {
  type: "aws:ec2/eipAssociation:EipAssociation",
  title: "association of an elastic IP address",
  regional: true,
  inputs: {
    allocationId: { type: "string", computed: true, replaces: true },
    allowReassociation: { type: "boolean", replaces: true },
    instanceId: TARGET,
    networkInterfaceId: TARGET,
    publicIp: { type: "string", computed: true, replaces: true },
  },
  outputs: ["privateIpAddress"],

  create: async ({ aws }, inputs) => {
    const { AssociationId } = await aws.ec2.send(
      new AssociateAddressCommand({
        AllocationId: inputs.string("allocationId"),
        // EC2 allows a reassociation by default; moto requires the parameter.
        AllowReassociation: inputs.boolean("allowReassociation") ?? true,
        InstanceId: inputs.string("instanceId"),
        NetworkInterfaceId: inputs.string("networkInterfaceId"),
        PublicIp: inputs.string("publicIp"),
      }),
    );
    return AssociationId ?? "";
  },

  read: async ({ aws }, id) => {
    const { Addresses } = await aws.ec2.send(
      new DescribeAddressesCommand({ Filters: [{ Name: "association-id", Values: [id] }] }),
    );
    const live = Addresses?.[0];
    return (
      live && {
        allocationId: live.AllocationId ?? "",
        instanceId: live.InstanceId ?? "",
        networkInterfaceId: live.NetworkInterfaceId ?? "",
        privateIpAddress: live.PrivateIpAddress ?? "",
        publicIp: live.PublicIp ?? "",
      }
    );
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () =>
      aws.ec2.send(new DisassociateAddressCommand({ AssociationId: id })),
    );
  },
};
