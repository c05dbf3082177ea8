import { messageOfError } from "../../provider/base";
import { problemAt } from "../argumentChecks";
import { type PolicyDocument, policyOf } from "../permissions/policyDocument";
import { allow, forbid, partitionOf } from "../permissions/policyDocument";
import { USER_DATA_ACTIONS } from "../permissions/userDataActions";
import type { PropertyProblem } from "../problems";
import type { Architecture } from "./instanceType";

/** The image that is made. */
export interface ImageImport {
  readonly talosVersion: string;
  readonly architecture: Architecture;
  /** Its Image Factory schematic. */
  readonly schematicId: string;
}

/** An object in S3. */
export interface DiskObject {
  readonly bucket: string;
  readonly key: string;
}

/** The device that the root volume is in Talos' images. */
export const ROOT_DEVICE = "/dev/xvda";

/** The name by which machines of this account find an image of a schematic. It contains no region, because copies keep names. */
export function ownImageName({ talosVersion, schematicId, architecture }: ImageImport): string {
  return `talos-${talosVersion}-${schematicId}-${architecture}`;
}

/** Where the Image Factory serves the disk of an image for AWS, compressed with xz. */
export function diskUrl({ talosVersion, schematicId, architecture }: ImageImport): string {
  return `https://factory.talos.dev/image/${schematicId}/${talosVersion}/aws-${architecture}.raw.xz`;
}

/**
 * Asks for a disk in S3, because AWS would tell only after minutes that it isn't there.
 *
 * @param ask fails without the object
 * @returns the problem, with the command that puts the disk there; undefined without one
 */
export async function findDiskProblem(
  image: ImageImport,
  disk: DiskObject,
  ask: () => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await ask();
    return undefined;
  } catch (error) {
    const reason = messageOfError(error);
    return `can't find the disk s3://${disk.bucket}/${disk.key} to import: ${reason}. Put it there: ${uploadCommand(image, disk)}`;
  }
}

function uploadCommand(image: ImageImport, { bucket, key }: DiskObject): string {
  return `curl -fsSL ${diskUrl(image)} | xz -d | aws s3 cp - s3://${bucket}/${key}`;
}

/**
 * The trust policy of the role that VM Import assumes. Source of both policies: VM Import/Export user
 * guide, "Required permissions for VM Import/Export".
 */
export function planImportTrust(): PolicyDocument {
  return policyOf([
    {
      Sid: "VmImport",
      Effect: "Allow",
      Action: ["sts:AssumeRole"],
      Principal: { Service: "vmie.amazonaws.com" },
      Condition: { StringEquals: { "sts:Externalid": "vmimport" } },
    },
  ]);
}

/** What VM Import may do: read one object, and make a snapshot of it. */
export function planImportPolicy({ bucket, key }: DiskObject, region: string): PolicyDocument {
  const arn = `arn:${partitionOf(region)}:s3:::${bucket}`;
  return policyOf([
    allow("FindDisk", ["s3:GetBucketLocation", "s3:ListBucket"], arn),
    allow("ReadDisk", ["s3:GetObject"], `${arn}/${key}`),
    // AWS has no narrower resource for what does not exist yet.
    allow(
      "MakeSnapshot",
      ["ec2:CopySnapshot", "ec2:Describe*", "ec2:ModifySnapshotAttribute", "ec2:RegisterImage"],
      "*",
    ),
    // AWS' guide asks for all that `Describe*` reads; the user data of machines isn't needed.
    forbid("KeepUserData", USER_DATA_ACTIONS),
  ]);
}

/** All problems of where an image is made and copied to. */
export function checkImageRegions(regions: readonly string[]): PropertyProblem[] {
  return regions.flatMap((region, index) => {
    const property = `copyTo[${index}]`;
    if (!/^[a-z]{2}(-[a-z]+)+-\d$/.test(region)) {
      return [{ property, reason: `"${region}" is no region: write it as in "eu-central-1"` }];
    }
    return problemAt(property, regions.indexOf(region) < index && `"${region}" is named twice`);
  });
}

/**
 * The problem of a copy to the region of the image itself, whose name AWS allows once in a region;
 * undefined without one. The region is known only when AWS is asked.
 */
export function copyProblem(own: string, regions: readonly string[]): string | undefined {
  return regions.includes(own)
    ? `copyTo names "${own}", where the image itself is made, and AWS allows its name only once in a region: leave that region out`
    : undefined;
}
