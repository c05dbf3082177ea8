import type * as aws from "@pulumi/aws";
import { messageOfError } from "../../provider/base";
import { awsSchematicId } from "../../provider/config";
import type { Architecture } from "./instanceType";
import { diskUrl, ownImageName } from "./planImageImport";

/** The AWS account in which Sidero Labs publishes Talos' images. */
const TALOS_IMAGE_OWNER = "540036508848";

const NAMED_AT_MOST = 6;

/** The image to find. */
export interface ImageQuery {
  readonly talosVersion: string;
  readonly architecture: Architecture;
  readonly region: string;
  /** Its Image Factory schematic. Default: that of the official images. */
  readonly schematicId?: string | undefined;
  /** Its owner. Default: Sidero Labs' account; with another schematic, this account. */
  readonly owner?: string | undefined;
  /** Its name. Default: the official name; with another schematic, a name that contains it. */
  readonly imageName?: string | undefined;
}

/** Asks AWS. */
export interface ImageCatalog {
  readonly getAmi: (args: aws.ec2.GetAmiArgs) => Promise<{ id: string; name: string }>;
  /** Newest first. */
  readonly getAmiIds: (args: aws.ec2.GetAmiIdsArgs) => Promise<{ ids: string[] }>;
}

/**
 * Finds one image by its exact name and owner.
 *
 * @throws Error that names the search, the region, the available images, and what to do
 */
export async function findMachineImage(query: ImageQuery, catalog: ImageCatalog): Promise<string> {
  const { talosVersion, architecture, region } = query;
  const owner = query.owner ?? (isOfficial(query) ? TALOS_IMAGE_OWNER : "self");
  const official = `talos-${talosVersion}-${region}-${architecture}`;
  const name = query.imageName ?? (isOfficial(query) ? official : nameOfOwn(query));
  try {
    const image = await catalog.getAmi({
      owners: [owner],
      filters: [{ name: "name", values: [name] }],
      mostRecent: false,
    });
    return image.id;
  } catch (error) {
    const reason = messageOfError(error);
    const who =
      owner === TALOS_IMAGE_OWNER
        ? `account ${owner} (Sidero Labs)`
        : owner === "self"
          ? "this account"
          : `account ${owner}`;
    const what = `image "${name}" of ${who}`;
    const message = /no results/i.test(reason)
      ? `no ${what} exists in ${region}: ${await describeOthers(query, owner, catalog)}; ${advice(query, owner)}`
      : `can't look up the ${what} in ${region}: ${reason}`;
    throw new Error(message, { cause: error });
  }
}

function isOfficial({ schematicId = awsSchematicId }: ImageQuery): boolean {
  return schematicId === awsSchematicId;
}

function nameOfOwn({ talosVersion, architecture, schematicId = "" }: ImageQuery): string {
  return ownImageName({ talosVersion, architecture, schematicId });
}

/**
 * The available alternatives: images of the same minor and architecture, else the owner's newest.
 */
async function describeOthers(
  { talosVersion, architecture }: ImageQuery,
  owner: string,
  catalog: ImageCatalog,
): Promise<string> {
  const minor = /^v\d+\.\d+\./.exec(talosVersion)?.[0] ?? "v";
  const patterns = owner === TALOS_IMAGE_OWNER ? [`${minor}*`, "v*"] : [];
  try {
    for (const pattern of [...patterns.map((version) => `talos-${version}-${architecture}`), "*"]) {
      const { ids } = await catalog.getAmiIds({
        owners: [owner],
        filters: [{ name: "name", values: [pattern] }],
      });
      const names = await Promise.all(
        ids.slice(0, NAMED_AT_MOST).map(async (id) => {
          const filters = [{ name: "image-id", values: [id] }];
          return (await catalog.getAmi({ owners: [owner], filters })).name;
        }),
      );
      if (names.length > 0) {
        const more =
          ids.length > names.length ? ` and ${ids.length - names.length} older ones` : "";
        return `there are ${names.map((name) => `"${name}"`).join(", ")}${more}`;
      }
    }
    return "there is no image of that owner at all";
  } catch {
    // The missing image is the error. Without the alternatives, only the advice is poorer.
    return "what there is instead can't be told";
  }
}

function advice(query: ImageQuery, owner: string): string {
  const { talosVersion, architecture, region, schematicId = "<schematic>" } = query;
  if (owner === TALOS_IMAGE_OWNER) {
    return `check that "${talosVersion}" is a release, take a region that it was published in (cloud-images.json at https://github.com/siderolabs/talos/releases/tag/${talosVersion} lists them), or copy its image to ${region} and give the copy's id as imageId`;
  }
  const disk = diskUrl({ talosVersion, architecture, schematicId });
  const make = `import an image of the Image Factory (${disk}) under that name with the component SchematicImage`;
  return isOfficial(query)
    ? `check owner and imageName, or ${make}`
    : `no published image has the requested system extensions or kernel arguments: ${make}, as docs/images.md says; or give imageId`;
}
