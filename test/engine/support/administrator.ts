import type { Stack } from "@pulumi/pulumi/automation";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";

/** The credentials that a stack's machines are configured with. */
export async function administrator(stack: Stack): Promise<ClientCredentials> {
  const exported = await stack.exportStack();
  const { resources = [] } = exported.deployment as {
    readonly resources?: readonly {
      readonly type: string;
      readonly outputs?: { readonly credentials?: { readonly plaintext: string } };
    }[];
  };
  const apply = resources.find(({ type }) => type.endsWith(":ConfigurationApply"));
  return JSON.parse(apply?.outputs?.credentials?.plaintext ?? "{}") as ClientCredentials;
}
