import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePermissionsBoundaryCommand,
  DetachRolePolicyCommand,
  GetRoleCommand,
  ListAttachedRolePoliciesCommand,
  PutRolePermissionsBoundaryCommand,
  TagRoleCommand,
  UntagRoleCommand,
  UpdateAssumeRolePolicyCommand,
  UpdateRoleCommand,
} from "@aws-sdk/client-iam";
import { chosenName } from "../autoname";
import { retryWhile, unlessMissing } from "../awsErrors";
import { nameProperties } from "../nameProperties";
import type { OperationContext, ResourceKind } from "../resourceKind";
import { fromTagList, toTagList } from "../tags";
import { between, text, arn, policy, iamName, SUFFIX_LENGTH } from "../valueRules";

const MISSING = ["NoSuchEntity", "NoSuchEntityException"];

/** Source: terraform-provider-aws, `internal/service/iam/role.go`. */
const DESCRIPTION = { matches: /^[^“‘]*$/, expected: "without curved quotes" };

/** `aws.iam.Role`; its inline policies are separate resources (`aws.iam.RolePolicy`). */
export const role: ResourceKind = {
  type: "aws:iam/role:Role",
  title: "IAM role",
  regional: false,
  autoname: { maxLength: 64 },
  inputs: {
    ...nameProperties(iamName(64), iamName(64 - SUFFIX_LENGTH)),
    path: { type: "string", default: "/", replaces: true, rule: text(0, 512) },
    assumeRolePolicy: { type: "string", required: true, json: true, rule: policy },
    description: { type: "string", rule: text(0, 1000, DESCRIPTION) },
    maxSessionDuration: { type: "number", default: 3600, rule: between(3600, 43_200) },
    permissionsBoundary: { type: "string", rule: arn },
    forceDetachPolicies: { type: "boolean", default: false },
  },
  outputs: ["arn", "createDate", "tagsAll", "uniqueId"],
  tagging: {
    change: async ({ aws }, RoleName, { set, remove }) => {
      if (remove.length > 0) {
        await aws.iam.send(new UntagRoleCommand({ RoleName, TagKeys: [...remove] }));
      }
      if (Object.keys(set).length > 0) {
        await aws.iam.send(new TagRoleCommand({ RoleName, Tags: toTagList(set) }));
      }
    },
  },

  create: async (context, inputs) => {
    const { Role } = await context.aws.iam.send(
      new CreateRoleCommand({
        RoleName: chosenName(inputs),
        Path: inputs.string("path"),
        AssumeRolePolicyDocument: inputs.requiredString("assumeRolePolicy"),
        Description: inputs.string("description"),
        MaxSessionDuration: inputs.number("maxSessionDuration"),
        PermissionsBoundary: inputs.string("permissionsBoundary"),
        Tags: toTagList(context.tagsOf(inputs)),
      }),
    );
    return Role?.RoleName ?? "";
  },

  read: async ({ aws }, id) => {
    const found = await unlessMissing(MISSING, () =>
      aws.iam.send(new GetRoleCommand({ RoleName: id })),
    );
    const live = found?.Role;
    return (
      live && {
        arn: live.Arn ?? "",
        name: live.RoleName ?? "",
        path: live.Path ?? "/",
        assumeRolePolicy: decodeURIComponent(live.AssumeRolePolicyDocument ?? ""),
        description: live.Description ?? null,
        maxSessionDuration: live.MaxSessionDuration ?? 3600,
        permissionsBoundary: live.PermissionsBoundary?.PermissionsBoundaryArn ?? null,
        createDate: live.CreateDate?.toISOString() ?? "",
        uniqueId: live.RoleId ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  update: async ({ aws }, RoleName, { news, touches }) => {
    if (touches("assumeRolePolicy")) {
      const PolicyDocument = news.requiredString("assumeRolePolicy");
      await aws.iam.send(new UpdateAssumeRolePolicyCommand({ RoleName, PolicyDocument }));
    }
    if (touches("description", "maxSessionDuration")) {
      await aws.iam.send(
        new UpdateRoleCommand({
          RoleName,
          Description: news.string("description") ?? "",
          MaxSessionDuration: news.number("maxSessionDuration"),
        }),
      );
    }
    if (touches("permissionsBoundary")) {
      const PermissionsBoundary = news.string("permissionsBoundary");
      await (PermissionsBoundary === undefined
        ? aws.iam.send(new DeleteRolePermissionsBoundaryCommand({ RoleName }))
        : aws.iam.send(new PutRolePermissionsBoundaryCommand({ RoleName, PermissionsBoundary })));
    }
  },

  delete: async (context, RoleName, state) => {
    await unlessMissing(MISSING, async () => {
      if (state.boolean("forceDetachPolicies") === true) {
        await detachPolicies(context, RoleName);
      }
      await retryWhile(["DeleteConflict", "DeleteConflictException"], context.signal, () =>
        context.aws.iam.send(new DeleteRoleCommand({ RoleName })),
      );
    });
  },
};

async function detachPolicies({ aws }: OperationContext, RoleName: string): Promise<void> {
  const { AttachedPolicies } = await aws.iam.send(
    new ListAttachedRolePoliciesCommand({ RoleName }),
  );
  for (const { PolicyArn } of AttachedPolicies ?? []) {
    await aws.iam.send(new DetachRolePolicyCommand({ RoleName, PolicyArn }));
  }
}
