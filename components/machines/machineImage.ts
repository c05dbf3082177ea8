import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { type MachineConfigurationArgs, schematic } from "../../provider";
import { awsSchematicId, checkTalosVersion, NEWEST_RELEASES } from "../../provider/config";
import { recordedAnswers } from "../account/recordedAnswers";
import { failRun, orFailRun } from "../failRun";
import { logBeside } from "../logBeside";
import { judge, misspeltArguments, type PropertyProblem, refuse } from "../problems";
import { findMachineImage } from "./findMachineImage";
import type { Architecture } from "./instanceType";
import { judgeGivenImage } from "./judgeGivenImage";

/** Arguments of `MachineImage`. */
export interface MachineImageArgs {
  /** The exact Talos release, for example `v1.14.1`. */
  readonly talosVersion: pulumi.Input<string>;
  readonly architecture: pulumi.Input<Architecture>;
  /**
   * Another image, for example one with more system extensions. Nothing is looked up then.
   * Exclusive with `owner` and `imageName`. Default: the official image.
   */
  readonly imageId?: pulumi.Input<string>;
  /**
   * Id of the Image Factory schematic of the image; `schematic` computes it from system extensions.
   * An image of another schematic than the official one is your own. Its name is
   * `talos-<talosVersion>-<schematicId>-<architecture>`; docs/images.md says how to create it.
   * Default: the official images' schematic.
   */
  readonly schematicId?: pulumi.Input<string>;
  /**
   * Owner of the image: an account number, or `self`. The owner of a machine's image controls the
   * machine. Default: Sidero Labs' account, which publishes the official images; `self` with
   * another `schematicId`.
   */
  readonly owner?: pulumi.Input<string>;
  /**
   * The image's complete name in the region. AWS' wildcards `*` and `?` are refused, because their
   * result changes. Default: the official name, `talos-<talosVersion>-<region>-<architecture>`.
   */
  readonly imageName?: pulumi.Input<string>;
}

const TYPE = "talos-aws:index:MachineImage";

/**
 * The image for new machines: the official one of exactly this release, architecture and region,
 * never the newest of several. Existing machines keep their image, which the state records. Another
 * image, also a new one of the same name, is only for new machines.
 *
 * @throws pulumi.InputPropertiesError for an invalid version, a name with wildcards, and an id
 * together with a lookup. If the region has no such image, the run fails later
 */
export class MachineImage extends pulumi.ComponentResource {
  readonly imageId: pulumi.Output<string>;

  constructor(name: string, args: MachineImageArgs, opts?: pulumi.ComponentResourceOptions) {
    const talosVersion = judge("talosVersion", args.talosVersion, talosVersionProblem);
    refuse(`the machine image "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...talosVersion.problems,
      ...checkMachineImage(args),
    ]);
    super(TYPE, name, {}, opts);
    this.imageId =
      args.imageId === undefined
        ? this.lookUp(name, { ...args, talosVersion: talosVersion.valueFor(this) })
        : this.given({ ...args, imageId: args.imageId, talosVersion: talosVersion.valueFor(this) });
    this.registerOutputs({ imageId: this.imageId });
  }

  /** A given image is judged where machines need more than an official one has, and the account can be asked. */
  private given(
    args: MachineImageArgs & { readonly imageId: pulumi.Input<string> },
  ): pulumi.Output<string> {
    const { imageId, talosVersion, architecture, schematicId = awsSchematicId } = args;
    const isAsked = recordedAnswers() === undefined;
    return pulumi
      .output({ imageId, talosVersion, architecture, schematicId })
      .apply(async (image) => {
        if (!isAsked || image.schematicId === awsSchematicId) {
          return image.imageId;
        }
        const { problem, warning } = await judgeGivenImage(image, (asked) =>
          aws.ec2.getAmi(asked, { parent: this }),
        );
        if (warning !== undefined) {
          void logBeside(this, warning, { severity: "warn" });
        }
        if (problem !== undefined) {
          await failRun(problem, this);
        }
        return image.imageId;
      });
  }

  private lookUp(name: string, args: MachineImageArgs): pulumi.Output<string> {
    const answers = recordedAnswers();
    if (answers !== undefined) {
      const { talosVersion, architecture } = args;
      return pulumi
        .output({ talosVersion, architecture })
        .apply((asked) => answers.imageId(name, asked));
    }
    const { region } = aws.getRegionOutput({}, { parent: this });
    const { talosVersion, architecture, schematicId, owner, imageName } = args;
    return pulumi
      .output({ talosVersion, architecture, schematicId, owner, imageName, region })
      .apply((query) =>
        orFailRun(this, () =>
          findMachineImage(query, {
            getAmi: (asked) => aws.ec2.getAmi(asked, { parent: this }),
            getAmiIds: (asked) => aws.ec2.getAmiIds(asked, { parent: this }),
          }),
        ),
      );
  }
}

/** All that can be known to be wrong with the choice of an image. */
export function checkMachineImage(
  args: Pick<MachineImageArgs, "imageId" | "owner" | "imageName">,
): PropertyProblem[] {
  const { imageId, owner, imageName } = args;
  const ownerReason =
    typeof owner !== "string" || /^(self|\d{12})$/.test(owner)
      ? undefined
      : `"${owner}" owns no images: write the twelve digits of an account, or "self"`;
  const nameReason =
    typeof imageName !== "string" || !/[*?]/.test(imageName)
      ? undefined
      : `"${imageName}" has wildcards, so what it finds would change: write the whole name`;
  const beside = "an image that is given by its imageId isn't looked up: leave out one of the two";
  return [
    { property: "owner", reason: ownerReason },
    { property: "imageName", reason: nameReason },
    { property: "owner", reason: imageId && owner ? beside : undefined },
    { property: "imageName", reason: imageId && imageName ? beside : undefined },
  ].flatMap(({ property, reason }) => (reason === undefined ? [] : [{ property, reason }]));
}

/** What is wrong with a text as a Talos release; undefined without a problem. */
export function talosVersionProblem(version: string): string | undefined {
  return /^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/.test(version)
    ? checkTalosVersion(version)
    : `"${version}" is no Talos release: write it in full, as in "${NEWEST_RELEASES.talosVersion}"`;
}

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
