import { createHash } from "node:crypto";

/** The AWS account in which Sidero Labs publishes Talos images (commercial partition). */
const TALOS_IMAGE_OWNER = "540036508848";

/** Talos releases with an image in the emulated cloud. */
const TALOS_IMAGE_VERSIONS = [
  "v1.10.7",
  "v1.11.5",
  "v1.12.0",
  "v1.12.1",
  "v1.13.0",
  "v1.13.9",
  "v1.14.1",
  "v1.14.6",
] as const;

/** Regions of the emulated cloud's images. */
const TALOS_IMAGE_REGIONS = [
  "ap-northeast-1",
  "ap-northeast-2",
  "ap-south-1",
  "ap-southeast-1",
  "ap-southeast-2",
  "ca-central-1",
  "eu-central-1",
  "eu-north-1",
  "eu-west-1",
  "eu-west-2",
  "eu-west-3",
  "sa-east-1",
  "us-east-1",
  "us-east-2",
  "us-west-1",
  "us-west-2",
] as const;

/** A machine image in the format of moto's file at `MOTO_AMIS_PATH`. */
export interface MotoImage {
  readonly ami_id: string;
  readonly name: string;
  readonly description: string;
  readonly owner_id: string;
  readonly architecture: "x86_64" | "arm64";
  readonly virtualization_type: "hvm";
  readonly hypervisor: "xen";
  readonly image_type: "machine";
  readonly image_location: string;
  readonly public: true;
  readonly state: "available";
  readonly root_device_type: "ebs";
  readonly root_device_name: "/dev/xvda";
  readonly boot_mode: "uefi";
  readonly creation_date: string;
}

/** The parts of a Talos image's name. */
export interface TalosImageName {
  /** With its leading v: `v1.12.1`. */
  readonly version: string;
  /** The region of an official image; of an account's own one its schematic. */
  readonly region: string;
  readonly architecture: "amd64" | "arm64";
}

/**
 * The official Talos images of every supported region and release, with the attributes of the
 * published ones. The id is derived from the name, so it is the same in every run.
 */
export function talosImages(): MotoImage[] {
  return TALOS_IMAGE_REGIONS.flatMap((region) =>
    TALOS_IMAGE_VERSIONS.flatMap((version, age) =>
      (["amd64", "arm64"] as const).map((architecture) => {
        const name = `talos-${version}-${region}-${architecture}`;
        return {
          ami_id: `ami-${createHash("sha256").update(name).digest("hex").slice(0, 17)}`,
          name,
          description: name,
          owner_id: TALOS_IMAGE_OWNER,
          architecture: architecture === "amd64" ? "x86_64" : "arm64",
          virtualization_type: "hvm",
          hypervisor: "xen",
          image_type: "machine",
          image_location: `${TALOS_IMAGE_OWNER}/${name}`,
          public: true,
          state: "available",
          root_device_type: "ebs",
          root_device_name: "/dev/xvda",
          boot_mode: "uefi",
          creation_date: new Date(Date.UTC(2025, age * 2, 1)).toISOString(),
        };
      }),
    ),
  );
}

/** The Image Factory schematic in the name of an account's own image; undefined for official ones. */
export function schematicOf({ region }: TalosImageName): string | undefined {
  return /^[0-9a-f]{64}$/.test(region) ? region : undefined;
}

/** Parses an image's name; undefined unless it has the form of Talos images. */
export function parseTalosImageName(name: string): TalosImageName | undefined {
  const match = /^talos-(v\d+\.\d+\.\d+[^-]*(?:-(?:alpha|beta|rc)\.\d+)?)-(.+)-(amd64|arm64)$/.exec(
    name,
  );
  const [, version, region, architecture] = match ?? [];
  return version === undefined || region === undefined || architecture === undefined
    ? undefined
    : { version, region, architecture: architecture === "amd64" ? "amd64" : "arm64" };
}
