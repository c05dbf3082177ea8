import * as pulumi from "@pulumi/pulumi";
import { type MachineConfigurationArgs, schematic } from "../../provider";

/** The configuration options that are part of a machine's image. */
export type ImageOptions = Pick<
  MachineConfigurationArgs,
  "systemExtensions" | "ecrCredentialProvider" | "extraKernelArgs" | "schematicId"
>;

/**
 * The Image Factory's schematic for a machine's configuration. Until its first upgrade, a machine
 * runs what its image contains. So image and installer must have the same schematic.
 */
export function imageSchematic(options: ImageOptions): pulumi.Output<string> {
  const { systemExtensions, ecrCredentialProvider, extraKernelArgs, schematicId } = options;
  return pulumi
    .output({ systemExtensions, ecrCredentialProvider, extraKernelArgs, schematicId })
    .apply(({ schematicId: given, ...customization }) => given ?? schematic(customization).id);
}
