import {
  AttachRolePolicyCommand,
  DetachRolePolicyCommand,
  ListAttachedRolePoliciesCommand,
} from "@aws-sdk/client-iam";
import { unlessMissing } from "../awsErrors";
import type { ResourceKind } from "../resourceKind";
import { arn } from "../valueRules";

const MISSING = ["NoSuchEntity", "NoSuchEntityException"];

/**
 * `aws.iam.RolePolicyAttachment`; its id consists of the role's name and the policy's ARN, as in
 * the provider.
 */
export const rolePolicyAttachment: ResourceKind = {
  type: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  title: "attachment of a policy to an IAM role",
  regional: false,
  inputs: {
    policyArn: { type: "string", required: true, replaces: true, rule: arn },
    role: { type: "string", required: true, replaces: true },
  },
  outputs: [],

  create: async ({ aws }, inputs) => {
    const request = {
      RoleName: inputs.requiredString("role"),
      PolicyArn: inputs.requiredString("policyArn"),
    };
    await aws.iam.send(new AttachRolePolicyCommand(request));
    return `${request.RoleName}/${request.PolicyArn}`;
  },

  read: async ({ aws }, id) => {
    const { RoleName, PolicyArn } = parts(id);
    const found = await unlessMissing(MISSING, () =>
      aws.iam.send(new ListAttachedRolePoliciesCommand({ RoleName })),
    );
    const isAttached = found?.AttachedPolicies?.some((each) => each.PolicyArn === PolicyArn);
    return isAttached === true ? { role: RoleName, policyArn: PolicyArn } : undefined;
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () => aws.iam.send(new DetachRolePolicyCommand(parts(id))));
  },
};

/** A role's name contains no slash. */
function parts(id: string): { RoleName: string; PolicyArn: string } {
  const [RoleName = "", ...arn] = id.split("/");
  return { RoleName, PolicyArn: arn.join("/") };
}
