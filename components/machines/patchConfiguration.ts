import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../provider";
import { decodeDocuments } from "../../provider/config/encode";
import { schemaOfDocuments } from "../../provider/config/schemaOfDocuments";
import { renderConfiguration } from "../../provider/renderConfiguration";

/**
 * A machine configuration with additional patches, rendered like `ConfigurationApply` does, so that
 * both have the same hash.
 *
 * @throws pulumi.InputPropertiesError, about `property`, for patches that can't be applied
 */
export function patchConfiguration(
  text: string,
  patches: readonly Patch[],
  property: string,
): string {
  if (patches.length === 0) {
    return text;
  }
  const documents = decodeDocuments(text);
  const result = renderConfiguration(documents, patches, { schema: schemaOfDocuments(documents) });
  if ("rendered" in result) {
    return result.rendered.text;
  }
  throw new pulumi.InputPropertiesError({
    message: result.failures.map(({ reason }) => `${property}: ${reason}`).join("\n"),
    errors: result.failures.map(({ reason }) => ({ propertyPath: property, reason })),
  });
}
