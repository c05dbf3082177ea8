/** The tags of a resource over the provider's default tags. */
export function mergedTags(
  defaults: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...defaults, ...own };
}

/** Tags in the form of most AWS APIs. */
export function toTagList(
  tags: Readonly<Record<string, string>>,
): { Key: string; Value: string }[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

/** Tags from the form of most AWS APIs, without AWS' own tags. */
export function fromTagList(
  tags: readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[] = [],
): Record<string, string> {
  return Object.fromEntries(
    tags.flatMap(({ Key, Value }) =>
      Key === undefined || Key.startsWith("aws:") ? [] : [[Key, Value ?? ""]],
    ),
  );
}

/** The tags to set and to remove for a change from one set to another. */
export function tagChange(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): { readonly set: Record<string, string>; readonly remove: string[] } {
  return {
    set: Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value)),
    remove: Object.keys(before).filter((key) => !(key in after)),
  };
}
