import type * as aws from "@pulumi/aws";
import { awsSchematicId } from "../../provider/config";
import type { Architecture } from "./instanceType";
import { ownImageName } from "./planImageImport";

/** An image that is given by its id, and what it is to be. */
export interface GivenImage {
  readonly imageId: string;
  readonly talosVersion: string;
  readonly architecture: Architecture;
  /** The schematic of the machines' configuration. */
  readonly schematicId: string;
}

/** What is wrong with a given image, as far as AWS tells. */
export interface ImageJudgement {
  /** AWS launches no machine of it. */
  readonly problem?: string;
  /** Machines that exist keep their image, so this is only for new ones. */
  readonly warning?: string;
}

/** Asks AWS for one image. */
type GetAmi = (
  args: aws.ec2.GetAmiArgs,
) => Promise<Pick<aws.ec2.GetAmiResult, "name" | "architecture">>;

/**
 * Judges an image by its architecture, and by the schematic in its name. An image with another kind of name, and
 * one that AWS doesn't tell of, are taken as they are.
 */
export async function judgeGivenImage(image: GivenImage, getAmi: GetAmi): Promise<ImageJudgement> {
  const { imageId, architecture, schematicId } = image;
  const found = await getAmi({ filters: [{ name: "image-id", values: [imageId] }] }).catch(
    () => undefined,
  );
  if (found === undefined) {
    return {};
  }
  const its = found.architecture === "x86_64" ? "amd64" : found.architecture;
  if (["amd64", "arm64"].includes(its) && its !== architecture) {
    return {
      problem: `the image "${imageId}" is for ${its}, and the instance type for ${architecture}: give an image for ${architecture}, or another type`,
    };
  }
  const actual = schematicInName(found.name);
  if (actual === undefined || actual === schematicId) {
    return {};
  }
  const what =
    actual === awsSchematicId
      ? `is an official image, without system extensions`
      : `has the schematic ${actual}`;
  return {
    warning: `the image "${imageId}" ("${found.name}") ${what}, and the configuration asks for the schematic ${schematicId}: new machines lack its system extensions and kernel arguments until an upgrade. Give the image "${ownImageName(image)}", which SchematicImage makes, or leave out imageId to have it found by that name`,
  };
}

/** The schematic that an image's name tells; undefined for other names. */
function schematicInName(name = ""): string | undefined {
  const [, middle = ""] =
    /^talos-v\d[^-]*(?:-(?:alpha|beta|rc)\.\d+)?-(.+)-(?:amd64|arm64)$/.exec(name) ?? [];
  if (/^[0-9a-f]{64}$/.test(middle)) {
    return middle;
  }
  return /^[a-z]{2}(-[a-z]+)+-\d$/.test(middle) ? awsSchematicId : undefined;
}
