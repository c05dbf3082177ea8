import type { Stack } from "@pulumi/pulumi/automation";

/** A resource as the state has it, its secrets in clear. */
export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
}

/** What a stack's state has, in the order in which the engine wrote it down. */
export async function storedResources(stack: Stack): Promise<StoredResource[]> {
  const exported = await stack.exportStack();
  return (exported.deployment as { resources?: StoredResource[] }).resources ?? [];
}

/** The last part of a resource's type and its name: `Instance local-control-plane-1`. */
export function labelOf({ urn, type }: Pick<StoredResource, "urn" | "type">): string {
  return `${type.split(":").at(-1) ?? ""} ${urn.split("::").at(-1) ?? ""}`;
}
