import {
  DeleteRolePolicyCommand,
  GetRolePolicyCommand,
  PutRolePolicyCommand,
} from "@aws-sdk/client-iam";
import { chosenName } from "../autoname";
import { unlessMissing } from "../awsErrors";
import { nameProperties } from "../nameProperties";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { text, policy, iamName, SUFFIX_LENGTH } from "../valueRules";

const MISSING = ["NoSuchEntity", "NoSuchEntityException"];

/** `aws.iam.RolePolicy`; its id consists of both names: `role:policy`. */
export const rolePolicy: ResourceKind = {
  type: "aws:iam/rolePolicy:RolePolicy",
  title: "IAM role policy",
  regional: false,
  autoname: { maxLength: 128 },
  inputs: {
    ...nameProperties(iamName(128), iamName(128 - SUFFIX_LENGTH)),
    role: {
      type: "string",
      required: true,
      replaces: true,
      rule: text(1, 128, { matches: /^(?!arn:)[\s\S]*[\w+=,.@-]/, expected: "that is no ARN" }),
    },
    policy: { type: "string", required: true, json: true, rule: policy },
  },
  outputs: [],

  create: async (context, inputs) => {
    const name = chosenName(inputs);
    const id = `${inputs.requiredString("role")}:${name}`;
    await put(context, id, inputs.requiredString("policy"));
    return id;
  },

  read: async ({ aws }, id) => {
    const found = await unlessMissing(MISSING, () =>
      aws.iam.send(new GetRolePolicyCommand(parts(id))),
    );
    return (
      found && {
        name: found.PolicyName ?? "",
        role: found.RoleName ?? "",
        policy: decodeURIComponent(found.PolicyDocument ?? ""),
      }
    );
  },

  update: (context, id, { news }) => put(context, id, news.requiredString("policy")),

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () => aws.iam.send(new DeleteRolePolicyCommand(parts(id))));
  },
};

async function put({ aws }: OperationContext, id: string, PolicyDocument: string): Promise<void> {
  await aws.iam.send(new PutRolePolicyCommand({ ...parts(id), PolicyDocument }));
}

function parts(id: string): { RoleName: string; PolicyName: string } {
  const [RoleName, PolicyName] = id.split(":");
  if (RoleName === undefined || PolicyName === undefined) {
    throw new Error(`"${id}" names no role policy: write it as in "role:policy"`);
  }
  return { RoleName, PolicyName };
}
