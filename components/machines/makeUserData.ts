import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../provider";
import { decodeDocuments, schemaOfDocuments } from "../../provider/config";
import { ArgumentsError } from "../../provider/engine";
import { readPatchArgument, renderConfiguration } from "../../provider/render";
import { orFailRun } from "../failRun";
import { demand } from "../problems";
import { encodeUserData, userDataProblem } from "./userData";

/** The inputs of a machine's user data. */
export interface UserDataArgs {
  /** `MachineConfiguration.machineConfiguration`. Secret. */
  readonly machineConfiguration: pulumi.Input<string>;
  /** Patches for this machine, as in `ConfigurationApplyArgs.patches`. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]> | undefined;
}

/**
 * The user data of one machine, in base64. It contains the configuration that its
 * `ConfigurationApply` would deliver, so nothing is left to deliver. Secret.
 *
 * The run fails for patches that can't be applied, and for a configuration that is too large.
 *
 * @param resource a component that is registered before, beside which such a problem is shown
 * @param path of the arguments, for errors. Default: none
 */
export function makeUserData(
  { machineConfiguration, patches }: UserDataArgs,
  resource: pulumi.Resource,
  path = "",
): pulumi.Output<string> {
  return pulumi
    .all([
      pulumi.secret(machineConfiguration),
      patches === undefined ? [] : readPatchArgument(patches),
    ])
    .apply(([text, own]) => {
      const property = `${path}patches`;
      return orFailRun(resource, () =>
        encodeUserData(demand(property, patchConfiguration(text, own, property), userDataProblem)),
      );
    });
}

/**
 * A machine configuration with additional patches, rendered like `ConfigurationApply` does, so that
 * both have the same hash.
 *
 * @throws ArgumentsError, about `property`, for patches that can't be applied
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
  throw new ArgumentsError(
    result.failures.map(({ reason }) => `${property}: ${reason}`).join("\n"),
    result.failures.map(({ reason }) => ({ property, reason })),
  );
}
