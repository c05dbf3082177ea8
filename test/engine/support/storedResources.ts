import type { Stack } from "@pulumi/pulumi/automation";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";

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

/** The outputs of the stack itself, as a program would read them. */
export function outputsIn(resources: readonly StoredResource[]): Record<string, unknown> {
  return resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
}

/** The credentials that the machines are configured with. */
export function administratorIn(resources: readonly StoredResource[]): ClientCredentials {
  const apply = resources.find(({ type }) => type.endsWith(":ConfigurationApply"));
  const secret = apply?.outputs?.credentials as { readonly plaintext: string } | undefined;
  return JSON.parse(secret?.plaintext ?? "{}") as ClientCredentials;
}
