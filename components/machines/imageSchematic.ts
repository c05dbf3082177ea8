import * as pulumi from "@pulumi/pulumi";
import { type MachineConfigurationArgs, schematic } from "../../provider";

/** The options of a machine's configuration that its image has to be made of. */
export type ImageOptions = Pick<
  MachineConfigurationArgs,
  "systemExtensions" | "ecrCredentialProvider" | "extraKernelArgs" | "schematicId"
>;

/**
 * The Image Factory's schematic of what machines are configured with. A machine runs what its image was
 * made of until it is upgraded, so that the image has to be of the same one as the installer.
 */
export function imageSchematic(options: ImageOptions): pulumi.Output<string> {
  const { systemExtensions, ecrCredentialProvider, extraKernelArgs, schematicId } = options;
  return pulumi
    .output({ systemExtensions, ecrCredentialProvider, extraKernelArgs, schematicId })
    .apply(({ schematicId: given, ...customization }) => given ?? schematic(customization).id);
}
