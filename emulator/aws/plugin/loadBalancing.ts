import {
  AddTagsCommand,
  DescribeTagsCommand,
  RemoveTagsCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import type { Inputs } from "./inputs";
import type { OperationContext, Tagging } from "./resourceKind";
import { fromTagList, toTagList } from "./tags";

/** Tags of load balancers, listeners and target groups. */
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

/** Reads the live tags, which load balancing returns by a separate call. */
export async function loadBalancingTags(
  { aws }: OperationContext,
  arn: string,
): Promise<Record<string, string>> {
  const { TagDescriptions } = await aws.loadBalancing.send(
    new DescribeTagsCommand({ ResourceArns: [arn] }),
  );
  return fromTagList(TagDescriptions?.[0]?.Tags);
}

/** Tags in the form of a create request, which allows no empty list. */
export function newTags(tags: Readonly<Record<string, string>>) {
  const list = toTagList(tags);
  return list.length === 0 ? undefined : list;
}

/**
 * Attributes in the form of the load balancing API. Unset properties are left out.
 *
 * @param keys AWS' key of each property that is an attribute
 * @param names the properties to set
 */
export function loadBalancingAttributes(
  keys: Readonly<Record<string, string>>,
  inputs: Inputs,
  names: readonly string[],
): { readonly Key: string | undefined; readonly Value: string }[] {
  return names.flatMap((name) => {
    const value = inputs.values[name];
    return value === undefined || value === null
      ? []
      : [{ Key: keys[name], Value: typeof value === "object" ? "" : String(value) }];
  });
}
