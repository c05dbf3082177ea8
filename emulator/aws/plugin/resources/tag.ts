import { CreateTagsCommand, DeleteTagsCommand, DescribeTagsCommand } from "@aws-sdk/client-ec2";
import type { Inputs } from "../inputs";
import type { OperationContext, ResourceKind } from "../resourceKind";

/** `aws.ec2.Tag`, one tag of a resource outside the stack; its id is `<resource>,<key>`. */
export const tag: ResourceKind = {
  type: "aws:ec2/tag:Tag",
  title: "tag",
  regional: true,
  inputs: {
    resourceId: { type: "string", required: true, replaces: true },
    key: { type: "string", required: true, replaces: true },
    value: { type: "string", required: true },
  },
  outputs: [],

  create: async (context, inputs) => {
    await put(context, inputs);
    return `${inputs.requiredString("resourceId")},${inputs.requiredString("key")}`;
  },

  read: async ({ aws }, id) => {
    const { resourceId, key } = parts(id);
    const { Tags } = await aws.ec2.send(
      new DescribeTagsCommand({
        Filters: [
          { Name: "resource-id", Values: [resourceId] },
          { Name: "key", Values: [key] },
        ],
      }),
    );
    const live = Tags?.[0];
    return live && { resourceId, key, value: live.Value ?? "" };
  },

  update: (context, _id, { news }) => put(context, news),

  delete: async ({ aws }, id) => {
    const { resourceId, key } = parts(id);
    // EC2 returns success even if the tag or resource doesn't exist.
    await aws.ec2.send(new DeleteTagsCommand({ Resources: [resourceId], Tags: [{ Key: key }] }));
  },
};

async function put({ aws }: OperationContext, inputs: Inputs): Promise<void> {
  await aws.ec2.send(
    new CreateTagsCommand({
      Resources: [inputs.requiredString("resourceId")],
      Tags: [{ Key: inputs.requiredString("key"), Value: inputs.requiredString("value") }],
    }),
  );
}

function parts(id: string): { resourceId: string; key: string } {
  const comma = id.indexOf(",");
  if (comma < 1) {
    throw new Error(`"${id}" names no tag: write it as in "subnet-0123456789abcdef0,team"`);
  }
  return { resourceId: id.slice(0, comma), key: id.slice(comma + 1) };
}
