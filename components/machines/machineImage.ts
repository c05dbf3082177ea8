import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { judge, type PropertyProblem, refuse } from "../problems";
import { findMachineImage } from "./findMachineImage";
import type { Architecture } from "./instanceType";

/** Arguments of `MachineImage`. */
export interface MachineImageArgs {
  /** The exact Talos release, for example `v1.12.1`. */
  readonly talosVersion: pulumi.Input<string>;
  readonly architecture: pulumi.Input<Architecture>;
  /**
   * Another image to boot, for example one with more system extensions; nothing is looked up
   * then. Exclusive with `owner` and `imageName`. Default: the official image.
   */
  readonly imageId?: pulumi.Input<string>;
  /**
   * What the image is made of, as the id of an Image Factory schematic: `schematic` computes it of
   * system extensions. Of any but the official one the image is your own, called
   * `talos-<talosVersion>-<schematicId>-<architecture>`; docs/images.md says how it is made. Default:
   * the official images'.
   */
  readonly schematicId?: pulumi.Input<string>;
  /**
   * Whose image it is: the number of an account, or `self`. Whoever owns the image of a machine owns
   * the machine. Default: Sidero Labs' account, which publishes the official images; `self` with
   * another `schematicId`.
   */
  readonly owner?: pulumi.Input<string>;
  /**
   * The image's name in the region, all of it: AWS' wildcards `*` and `?` are refused, since what they
   * find changes. Default: the official name, `talos-<talosVersion>-<region>-<architecture>`.
   */
  readonly imageName?: pulumi.Input<string>;
}

/**
 * The image that machines boot: the official one of exactly this release, architecture and region,
 * never the newest of several. Machines that run keep the image they were made with, which is in the
 * state: another one, also one that took its name, is for machines to come.
 *
 * @throws pulumi.InputPropertiesError for a version that is none, a name with wildcards, and an id
 *   beside what to look up; pulumi.ResourceError, later, when the region has no such image
 */
export class MachineImage extends pulumi.ComponentResource {
  public readonly imageId: pulumi.Output<string>;

  constructor(name: string, args: MachineImageArgs, opts?: pulumi.ComponentResourceOptions) {
    const talosVersion = judge("talosVersion", args.talosVersion, talosVersionProblem);
    refuse(`the machine image "${name}"`, [...talosVersion.problems, ...checkMachineImage(args)]);
    super("talos-aws:index:MachineImage", name, {}, opts);
    this.imageId =
      args.imageId === undefined
        ? this.lookUp({ ...args, talosVersion: talosVersion.value })
        : pulumi.output(args.imageId);
    this.registerOutputs({ imageId: this.imageId });
  }

  private lookUp(args: MachineImageArgs): pulumi.Output<string> {
    const { region } = aws.getRegionOutput({}, { parent: this });
    const { talosVersion, architecture, schematicId, owner, imageName } = args;
    return pulumi
      .output({ talosVersion, architecture, schematicId, owner, imageName, region })
      .apply(async (query) => {
        try {
          return await findMachineImage(query, {
            getAmi: (asked) => aws.ec2.getAmi(asked, { parent: this }),
            getAmiIds: (asked) => aws.ec2.getAmiIds(asked, { parent: this }),
          });
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          throw new pulumi.ResourceError(reason, this, true);
        }
      });
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

/** What is wrong with a text as a Talos release; undefined when it is fine. */
export function talosVersionProblem(version: string): string | undefined {
  return /^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/.test(version)
    ? undefined
    : `"${version}" is no Talos release: write it in full, as in "v1.12.1"`;
}
