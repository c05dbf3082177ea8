import {
  AllocateAddressCommand,
  AssociateAddressCommand,
  DescribeAddressesCommand,
  DisassociateAddressCommand,
  ReleaseAddressCommand,
  DomainType,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { Inputs } from "../inputs";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { memberOf } from "../valueRules";

const MISSING = ["InvalidAllocationID.NotFound", "InvalidAddress.NotFound"];

/** `aws.ec2.Eip` */
export const eip: ResourceKind = {
  type: "aws:ec2/eip:Eip",
  title: "elastic IP address",
  regional: true,
  inputs: {
    domain: { type: "string", computed: true, replaces: true, rule: memberOf(DomainType) },
    instance: { type: "string", computed: true },
    networkInterface: { type: "string", computed: true },
  },
  outputs: ["allocationId", "arn", "associationId", "privateIp", "publicIp", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { AllocationId: id = "" } = await context.aws.ec2.send(
      new AllocateAddressCommand({
        Domain: inputs.string("domain") as DomainType | undefined,
        TagSpecifications: tagSpecifications("elastic-ip", context.tagsOf(inputs)),
      }),
    );
    return afterCreate(id, () => associate(context, id, inputs));
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
        instance: live.InstanceId ?? "",
        networkInterface: live.NetworkInterfaceId ?? "",
        privateIp: live.PrivateIpAddress ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  update: async (context, id, { news, state }) => {
    await disassociate(context, state);
    await associate(context, id, news);
  },

  delete: async (context, id, state) => {
    await disassociate(context, state);
    await unlessMissing(MISSING, () =>
      retryWhile(["InvalidIPAddress.InUse", "AuthFailure"], context.signal, () =>
        context.aws.ec2.send(new ReleaseAddressCommand({ AllocationId: id })),
      ),
    );
  },
};

/** Associates the address with the instance or interface of the inputs, if there is one. */
async function associate({ aws }: OperationContext, id: string, inputs: Inputs): Promise<void> {
  const InstanceId = inputs.string("instance");
  const NetworkInterfaceId = inputs.string("networkInterface");
  if (InstanceId !== undefined || NetworkInterfaceId !== undefined) {
    await aws.ec2.send(
      new AssociateAddressCommand({
        AllocationId: id,
        AllowReassociation: true,
        InstanceId,
        NetworkInterfaceId,
      }),
    );
  }
}

/** Disassociates the address from its own instance or interface. Other associations stay. */
async function disassociate({ aws }: OperationContext, state: Inputs): Promise<void> {
  const AssociationId = state.string("associationId") ?? "";
  if (AssociationId !== "" && (state.has("instance") || state.has("networkInterface"))) {
    await unlessMissing(["InvalidAssociationID.NotFound"], () =>
      aws.ec2.send(new DisassociateAddressCommand({ AssociationId })),
    );
  }
}
