import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../provider";
import { readPatchArgument } from "../../provider/readPatchFiles";
import { demand } from "../problems";
import { patchConfiguration } from "./patchConfiguration";
import { encodeUserData, userDataProblem } from "./userData";

/** The inputs of a machine's user data. */
export interface UserDataArgs {
  /** `MachineConfiguration.machineConfiguration`. */
  readonly machineConfiguration: pulumi.Input<string>;
  /** Patches for this machine, as in `ConfigurationApplyArgs.patches`. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]> | undefined;
}

/**
 * The user data of one machine, in base64. It contains the configuration that its
 * `ConfigurationApply` would deliver, so nothing is left to deliver. Secret.
 *
 * @param path of the arguments, for errors
 * @throws pulumi.InputPropertiesError, once the value is known, for patches that can't be applied
 * and for a configuration that is too large
 */
export function makeUserData(
  { machineConfiguration, patches }: UserDataArgs,
  path = "",
): pulumi.Output<string> {
  return pulumi
    .all([
      pulumi.secret(machineConfiguration),
      patches === undefined ? [] : readPatchArgument(patches),
    ])
    .apply(([text, own]) => {
      const property = `${path}patches`;
      return encodeUserData(
        demand(property, patchConfiguration(text, own, property), userDataProblem),
      );
    });
}
