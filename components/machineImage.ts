import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Architecture } from "./instanceType";
import { judge, refuse } from "./problems";

/** The AWS account in which Sidero Labs publishes Talos' images. */
export const TALOS_IMAGE_OWNER = "540036508848";

export interface MachineImageArgs {
  /** The exact Talos release, for example `v1.12.1`. */
  readonly talosVersion: pulumi.Input<string>;
  readonly architecture: pulumi.Input<Architecture>;
  /**
   * Another image to boot, for example one with more system extensions; nothing is looked up
   * then. Default: the official image.
   */
  readonly imageId?: pulumi.Input<string>;
}

/**
 * The image that machines boot: the official one of exactly this release, architecture and
 * region, never the newest of several.
 *
 * @throws pulumi.InputPropertiesError for a version that is none; pulumi.ResourceError, later, when
 *   the region has no such image
 */
export class MachineImage extends pulumi.ComponentResource {
  public readonly imageId: pulumi.Output<string>;

  constructor(name: string, args: MachineImageArgs, opts?: pulumi.ComponentResourceOptions) {
    const talosVersion = judge("talosVersion", args.talosVersion, talosVersionProblem);
    refuse(`the machine image "${name}"`, talosVersion.problems);
    super("talos-aws:index:MachineImage", name, {}, opts);
    this.imageId =
      args.imageId === undefined
        ? this.lookUp(talosVersion.value, args.architecture)
        : pulumi.output(args.imageId);
    this.registerOutputs({ imageId: this.imageId });
  }

  private lookUp(
    talosVersion: pulumi.Output<string>,
    architecture: pulumi.Input<Architecture>,
  ): pulumi.Output<string> {
    const { region } = aws.getRegionOutput({}, { parent: this });
    return pulumi
      .all([talosVersion, architecture, region])
      .apply(async ([version, arch, where]) => {
        const query = { talosVersion: version, architecture: arch, region: where };
        try {
          return await findTalosImage(query, (args) => aws.ec2.getAmi(args, { parent: this }));
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          throw new pulumi.ResourceError(reason, this, true);
        }
      });
  }
}

/**
 * Finds the official image of one release, architecture and region.
 *
 * @param getAmi asks AWS
 * @throws Error that says what was searched, where, and what to do
 */
export async function findTalosImage(
  query: { talosVersion: string; architecture: Architecture; region: string },
  getAmi: (args: aws.ec2.GetAmiArgs) => Promise<{ id: string }>,
): Promise<string> {
  const { talosVersion, architecture, region } = query;
  const name = `talos-${talosVersion}-${region}-${architecture}`;
  try {
    const image = await getAmi({
      owners: [TALOS_IMAGE_OWNER],
      filters: [{ name: "name", values: [name] }],
      mostRecent: false,
    });
    return image.id;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const what = `image "${name}" of account ${TALOS_IMAGE_OWNER} (Sidero Labs)`;
    const message = /no results/i.test(reason)
      ? `no ${what} exists in ${region}: check that "${talosVersion}" is a release, take a region that it was published in (cloud-images.json at https://github.com/siderolabs/talos/releases/tag/${talosVersion} lists them), or copy its image to ${region} and give the copy's id as imageId`
      : `can't look up the ${what} in ${region}: ${reason}`;
    throw new Error(message, { cause: error });
  }
}

/** What is wrong with a text as a Talos release; undefined when it is fine. */
export function talosVersionProblem(version: string): string | undefined {
  return /^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/.test(version)
    ? undefined
    : `"${version}" is no Talos release: write it in full, as in "v1.12.1"`;
}
