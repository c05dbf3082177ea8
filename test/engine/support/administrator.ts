import type { Stack } from "@pulumi/pulumi/automation";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import { administratorIn, storedResources } from "./storedResources";

/** The credentials that a stack's machines are configured with. */
export async function administrator(stack: Stack): Promise<ClientCredentials> {
  return administratorIn(await storedResources(stack));
}
