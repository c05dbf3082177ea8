import {
  AddTagsCommand,
  DescribeTagsCommand,
  RemoveTagsCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import type { OperationContext, Tagging } from "./resourceKind";
import { fromTagList, toTagList } from "./tags";

/** Tags of everything load balancing knows by an ARN. */
export const loadBalancingTagging: Tagging = {
  change: async ({ aws }, arn, { set, remove }) => {
    const ResourceArns = [arn];
    if (remove.length > 0) {
      await aws.loadBalancing.send(new RemoveTagsCommand({ ResourceArns, TagKeys: [...remove] }));
    }
    if (Object.keys(set).length > 0) {
      await aws.loadBalancing.send(new AddTagsCommand({ ResourceArns, Tags: toTagList(set) }));
    }
  },
};

/** Live tags of one thing; load balancing tells them by a call of their own. */
export async function loadBalancingTags(
  { aws }: OperationContext,
  arn: string,
): Promise<Record<string, string>> {
  const { TagDescriptions } = await aws.loadBalancing.send(
    new DescribeTagsCommand({ ResourceArns: [arn] }),
  );
  return fromTagList(TagDescriptions?.[0]?.Tags);
}

/** Tags in the form load balancing takes them when it makes something: no empty list. */
export function newTags(tags: Readonly<Record<string, string>>) {
  const list = toTagList(tags);
  return list.length === 0 ? undefined : list;
}
