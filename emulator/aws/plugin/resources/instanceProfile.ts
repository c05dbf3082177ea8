import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  RemoveRoleFromInstanceProfileCommand,
  TagInstanceProfileCommand,
  UntagInstanceProfileCommand,
} from "@aws-sdk/client-iam";
import { chosenName } from "../autoname";
import { unlessMissing } from "../awsErrors";
import { nameProperties } from "../nameProperties";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList, toTagList } from "../tags";
import { iamName, SUFFIX_LENGTH } from "../valueRules";

const MISSING = ["NoSuchEntity", "NoSuchEntityException"];

/** `aws.iam.InstanceProfile` */
export const instanceProfile: ResourceKind = {
  type: "aws:iam/instanceProfile:InstanceProfile",
  title: "IAM instance profile",
  regional: false,
  autoname: { maxLength: 128 },
  inputs: {
    ...nameProperties(iamName(128), iamName(128 - SUFFIX_LENGTH)),
    path: { type: "string", default: "/", replaces: true },
    role: { type: "string" },
  },
  outputs: ["arn", "createDate", "tagsAll", "uniqueId"],
  tagging: {
    change: async ({ aws }, InstanceProfileName, { set, remove }) => {
      if (remove.length > 0) {
        const TagKeys = [...remove];
        await aws.iam.send(new UntagInstanceProfileCommand({ InstanceProfileName, TagKeys }));
      }
      if (Object.keys(set).length > 0) {
        const Tags = toTagList(set);
        await aws.iam.send(new TagInstanceProfileCommand({ InstanceProfileName, Tags }));
      }
    },
  },

  create: async (context, inputs) => {
    const { InstanceProfile } = await context.aws.iam.send(
      new CreateInstanceProfileCommand({
        InstanceProfileName: chosenName(inputs),
        Path: inputs.string("path"),
        Tags: toTagList(context.tagsOf(inputs)),
      }),
    );
    const id = InstanceProfile?.InstanceProfileName ?? "";
    return afterCreate(id, () => addRole(context, id, inputs.string("role")));
  },

  read: async ({ aws }, id) => {
    const found = await unlessMissing(MISSING, () =>
      aws.iam.send(new GetInstanceProfileCommand({ InstanceProfileName: id })),
    );
    const live = found?.InstanceProfile;
    return (
      live && {
        arn: live.Arn ?? "",
        name: live.InstanceProfileName ?? "",
        path: live.Path ?? "/",
        role: live.Roles?.[0]?.RoleName ?? null,
        createDate: live.CreateDate?.toISOString() ?? "",
        uniqueId: live.InstanceProfileId ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  update: async (context, id, { news, state }) => {
    await removeRole(context, id, state.string("role"));
    await addRole(context, id, news.string("role"));
  },

  delete: async (context, id, state) => {
    await removeRole(context, id, state.string("role"));
    await unlessMissing(MISSING, () =>
      context.aws.iam.send(new DeleteInstanceProfileCommand({ InstanceProfileName: id })),
    );
  },
};

async function addRole({ aws }: OperationContext, id: string, RoleName?: string): Promise<void> {
  if (RoleName !== undefined) {
    const request = { InstanceProfileName: id, RoleName };
    await aws.iam.send(new AddRoleToInstanceProfileCommand(request));
  }
}

async function removeRole({ aws }: OperationContext, id: string, RoleName?: string): Promise<void> {
  if (RoleName !== undefined) {
    const request = { InstanceProfileName: id, RoleName };
    await unlessMissing(MISSING, () =>
      aws.iam.send(new RemoveRoleFromInstanceProfileCommand(request)),
    );
  }
}
