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
import type { OperationContext, ResourceKind } from "../resourceKind";
import { fromTagList, toTagList } from "../tags";

const MISSING = ["NoSuchEntity", "NoSuchEntityException"];

/** `aws.iam.Role`; its inline policies are separate resources (`aws.iam.RolePolicy`). */
export const role: ResourceKind = {
  type: "aws:iam/role:Role",
  title: "IAM role",
  regional: false,
  autoname: { maxLength: 64 },
  inputs: {
    name: { type: "string", computed: true, replaces: true },
    namePrefix: { type: "string", computed: true, replaces: true, conflictsWith: ["name"] },
    path: { type: "string", default: "/", replaces: true },
    assumeRolePolicy: { type: "string", required: true, json: true },
    description: { type: "string" },
    maxSessionDuration: { type: "number", default: 3600 },
    permissionsBoundary: { type: "string" },
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
