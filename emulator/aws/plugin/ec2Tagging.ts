import { CreateTagsCommand, DeleteTagsCommand, type TagSpecification } from "@aws-sdk/client-ec2";
import type { OperationContext, Tagging } from "./resourceKind";
import { toTagList } from "./tags";

/** Tags of EC2 resources, by id. */
export const ec2Tagging: Tagging = {
  change: async ({ aws }, id, { set, remove }) => {
    if (remove.length > 0) {
      const Tags = remove.map((Key) => ({ Key }));
      await aws.ec2.send(new DeleteTagsCommand({ Resources: [id], Tags }));
    }
    if (Object.keys(set).length > 0) {
      await aws.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: toTagList(set) }));
    }
  },
};

/** Tags in the form of an EC2 create request. Undefined when there are none. */
export function tagSpecifications(
  type: NonNullable<TagSpecification["ResourceType"]>,
  tags: Readonly<Record<string, string>>,
): TagSpecification[] | undefined {
  const Tags = toTagList(tags);
  return Tags.length === 0 ? undefined : [{ ResourceType: type, Tags }];
}

/** The ARN of an EC2 resource. */
export function ec2Arn(context: OperationContext, owner: string | undefined, path: string): string {
  return `arn:aws:ec2:${context.region}:${owner ?? ""}:${path}`;
}
