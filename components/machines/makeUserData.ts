import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../provider";
import { readPatchArgument } from "../../provider/readPatchFiles";
import { demand } from "../problems";
import { patchConfiguration } from "./patchConfiguration";
import { encodeUserData, userDataProblem } from "./userData";

/** What a machine is given to boot with. */
export interface UserDataArgs {
  /** `MachineConfiguration.machineConfiguration`. */
  readonly machineConfiguration: pulumi.Input<string>;
  /** Patches for this machine alone, as `ConfigurationApplyArgs.patches` has them. Default: none. */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]> | undefined;
}

/**
 * The user data of one machine, in base64: the configuration that its `ConfigurationApply` would give
 * it, so that a machine that boots with it has nothing left to be given. Secret.
 *
 * @param path of the arguments, for what is wrong with them
 * @throws pulumi.InputPropertiesError, when the value is known, for patches that can't be applied and
 *   for a configuration that is too large
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
