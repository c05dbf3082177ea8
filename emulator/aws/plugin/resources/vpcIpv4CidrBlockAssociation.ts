import {
  AssociateVpcCidrBlockCommand,
  DescribeVpcsCommand,
  DisassociateVpcCidrBlockCommand,
  type VpcCidrBlockAssociation,
} from "@aws-sdk/client-ec2";
import { unlessMissing, waitUntil } from "../awsErrors";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { networkRange } from "../valueRules";

const MISSING = [
  "InvalidVpcID.NotFound",
  "InvalidVpcCidrBlockAssociationIdError.NotFound",
  "InvalidVpcCidrBlockAssociationID.NotFound",
];

/** `aws.ec2.VpcIpv4CidrBlockAssociation`: a further range of a network. */
export const vpcIpv4CidrBlockAssociation: ResourceKind = {
  type: "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation",
  title: "range of a VPC",
  regional: true,
  inputs: {
    vpcId: { type: "string", required: true, replaces: true },
    cidrBlock: {
      type: "string",
      computed: true,
      replaces: true,
      rule: networkRange("ipv4", 16, 28),
    },
  },
  outputs: [],

  create: async (context, inputs) => {
    const { CidrBlockAssociation } = await context.aws.ec2.send(
      new AssociateVpcCidrBlockCommand({
        VpcId: inputs.requiredString("vpcId"),
        CidrBlock: inputs.string("cidrBlock"),
      }),
    );
    const id = CidrBlockAssociation?.AssociationId ?? "";
    return afterCreate(id, () =>
      waitUntil(`the range "${id}" to be associated`, context.signal, async () => {
        const found = await find(context, id);
        return found?.association.CidrBlockState?.State === "associated";
      }),
    );
  },

  read: async (context, id) => {
    const found = await find(context, id);
    return found && { vpcId: found.vpcId, cidrBlock: found.association.CidrBlock ?? "" };
  },

  delete: async (context, AssociationId) => {
    const { aws, signal } = context;
    // The real provider doesn't wait either for subnets to go.
    await unlessMissing(MISSING, () =>
      aws.ec2.send(new DisassociateVpcCidrBlockCommand({ AssociationId })),
    );
    await waitUntil(
      `the range "${AssociationId}" to be gone`,
      signal,
      async () => (await find(context, AssociationId)) === undefined,
    );
  },
};

/** The association, in its network. One that ends counts as gone. */
async function find(
  { aws }: OperationContext,
  id: string,
): Promise<{ readonly vpcId: string; readonly association: VpcCidrBlockAssociation } | undefined> {
  const { Vpcs = [] } = await aws.ec2.send(
    new DescribeVpcsCommand({
      Filters: [{ Name: "cidr-block-association.association-id", Values: [id] }],
    }),
  );
  const [live] = Vpcs;
  const association = live?.CidrBlockAssociationSet?.find(
    ({ AssociationId, CidrBlockState }) =>
      AssociationId === id && CidrBlockState?.State !== "disassociated",
  );
  return association && { vpcId: live?.VpcId ?? "", association };
}
