import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { failRun } from "../failRun";
import { roleNameProblem } from "../nameRules";
import { judge, misspeltArguments, refuse } from "../problems";
import type { Architecture } from "./instanceType";
import { type ImageOptions, imageSchematic, talosVersionProblem } from "./machineImage";
import {
  checkImageRegions,
  copyProblem,
  type DiskObject,
  diskUrl,
  findDiskProblem,
  type ImageImport,
  ownImageName,
  planImportPolicy,
  planImportTrust,
  ROOT_DEVICE,
} from "./planImageImport";

/** Arguments of `SchematicImage`. */
export interface SchematicImageArgs extends ImageOptions {
  /** The exact Talos release, for example `v1.14.1`. */
  readonly talosVersion: pulumi.Input<string>;
  readonly architecture: Architecture;
  /**
   * Bucket with the disk of the image, of the same region. The disk is what `diskUrl` serves, without its
   * compression. It is needed only once, for the import.
   */
  readonly bucket: pulumi.Input<string>;
  /** Key of the disk in the bucket, for example `talos-v1.14.1.raw`. */
  readonly key: pulumi.Input<string>;
  /**
   * Name of an existing role that VM Import may assume and that may read the disk, such as `vmimport`.
   * Default: a role for this image.
   */
  readonly roleName?: pulumi.Input<string>;
  /** Regions besides the stack's own that get a copy, for example `["eu-west-1"]`. Default: none. */
  readonly copyTo?: readonly string[];
  /** Additional tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

const TYPE = "talos-aws:index:SchematicImage";

/**
 * An image of your own account with system extensions or kernel arguments: it imports a disk of the Image
 * Factory from S3, registers it, and copies it to other regions. Machines find it by its name; a stack
 * that makes both gives them `imageId`. Another release or schematic makes another image. Running
 * machines keep theirs. The disk's place in S3 matters only for the import.
 *
 * Costs about $0.05 a month for each GiB of the snapshot, in each region (list price in us-east-1,
 * November 2026). AWS takes 5 to 20 minutes for an import.
 *
 * @throws pulumi.InputPropertiesError that lists all problems of the arguments. If the disk isn't
 * there, the run fails, also in a preview, with the command that puts it there
 */
export class SchematicImage extends pulumi.ComponentResource {
  /** The image in the stack's own region. */
  readonly imageId: pulumi.Output<string>;
  /** The images by region: the own one and the copies. */
  readonly imageIds: pulumi.Output<Record<string, string>>;
  /** Its name, the same in all regions. */
  readonly imageName: pulumi.Output<string>;
  /** The id of its schematic. */
  readonly schematicId: pulumi.Output<string>;
  /** Where the Image Factory serves the disk, compressed with xz. */
  readonly diskUrl: pulumi.Output<string>;

  constructor(name: string, args: SchematicImageArgs, opts?: pulumi.ComponentResourceOptions) {
    const talosVersion = judge("talosVersion", args.talosVersion, talosVersionProblem);
    const roleProblem = args.roleName === undefined ? roleNameProblem(`${name}-import`) : undefined;
    refuse(`the image "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...talosVersion.problems,
      ...checkImageRegions(args.copyTo ?? []),
      ...(roleProblem === undefined ? [] : [{ property: "name", reason: roleProblem }]),
    ]);
    super(TYPE, name, {}, opts);
    const child = { parent: this };
    const { architecture, copyTo = [] } = args;
    this.schematicId = imageSchematic(args);
    const release = talosVersion.valueFor(this);
    const wanted = pulumi
      .all([release, this.schematicId])
      .apply(([version, schematicId]) => ({ talosVersion: version, schematicId, architecture }));
    this.imageName = wanted.apply(ownImageName);
    this.diskUrl = wanted.apply(diskUrl);
    const tags = pulumi
      .all([this.imageName, args.tags ?? {}])
      .apply(([Name, more]): Record<string, string> => ({ Name, ...more }));
    const { region } = aws.getRegionOutput({}, child);
    const snapshot = this.importDisk(name, args, { wanted, region, tags });
    const image = new aws.ec2.Ami(
      name,
      {
        name: this.imageName,
        description: pulumi.interpolate`Talos ${release}, schematic ${this.schematicId}`,
        architecture: architecture === "amd64" ? "x86_64" : "arm64",
        bootMode: "uefi",
        imdsSupport: "v2.0",
        enaSupport: true,
        virtualizationType: "hvm",
        rootDeviceName: ROOT_DEVICE,
        ebsBlockDevices: [
          {
            deviceName: ROOT_DEVICE,
            snapshotId: snapshot.id,
            volumeType: "gp3",
            deleteOnTermination: true,
          },
        ],
        tags,
      },
      child,
    );
    const copies = copyTo.map((other) => {
      const copy = new aws.ec2.AmiCopy(
        `${name}-${other}`,
        {
          region: other,
          name: this.imageName,
          description: image.description.apply((text) => text ?? ""),
          sourceAmiId: image.id,
          sourceAmiRegion: region,
          tags,
        },
        child,
      );
      return [other, copy.id] as const;
    });
    this.imageId = image.id;
    this.imageIds = pulumi
      .all([region, image.id, pulumi.output(Object.fromEntries(copies))])
      .apply(([own, id, others]) => ({ [own]: id, ...others }));
    this.registerOutputs({
      imageId: this.imageId,
      imageIds: this.imageIds,
      imageName: this.imageName,
      schematicId: this.schematicId,
      diskUrl: this.diskUrl,
    });
  }

  private importDisk(
    name: string,
    args: SchematicImageArgs,
    {
      wanted,
      region,
      tags,
    }: {
      readonly wanted: pulumi.Output<ImageImport>;
      readonly region: pulumi.Output<string>;
      readonly tags: pulumi.Output<Record<string, string>>;
    },
  ): aws.ebs.SnapshotImport {
    const child = { parent: this };
    const disk = pulumi.output({ bucket: args.bucket, key: args.key });
    const { roleName, after } =
      args.roleName === undefined
        ? this.makeRole(name, disk, region, tags)
        : { roleName: args.roleName, after: [] };
    const { copyTo = [] } = args;
    const found = pulumi
      .all([wanted, disk, region])
      .apply(([image, known, own]) => this.findDisk(image, known, copyProblem(own, copyTo)));
    return new aws.ebs.SnapshotImport(
      name,
      {
        description: wanted.apply(ownImageName),
        diskContainer: {
          format: "RAW",
          userBucket: { s3Bucket: found.bucket, s3Key: found.key },
        },
        roleName,
        tags,
      },
      {
        ...child,
        dependsOn: after,
        // The content of an image follows from its name alone.
        ignoreChanges: ["description", "diskContainer", "roleName"],
        replacementTrigger: wanted.apply(ownImageName),
      },
    );
  }

  private makeRole(
    name: string,
    disk: pulumi.Output<DiskObject>,
    region: pulumi.Output<string>,
    tags: pulumi.Output<Record<string, string>>,
  ) {
    const child = { parent: this };
    const role = new aws.iam.Role(
      `${name}-import`,
      {
        description: "Reads the disk of a Talos image",
        assumeRolePolicy: JSON.stringify(planImportTrust()),
        tags,
      },
      child,
    );
    const policy = new aws.iam.RolePolicy(
      `${name}-import`,
      {
        role: role.name,
        policy: pulumi
          .all([disk, region])
          .apply(([known, where]) => JSON.stringify(planImportPolicy(known, where))),
      },
      child,
    );
    return { roleName: role.name, after: [policy] };
  }

  private async findDisk(
    image: ImageImport,
    disk: DiskObject,
    problemOfCopies: string | undefined,
  ): Promise<DiskObject> {
    const missing = await findDiskProblem(image, disk, () =>
      aws.s3.getObject(disk, { parent: this }),
    );
    const problem = [missing, problemOfCopies].filter((each) => each !== undefined).join("\n");
    if (problem !== "") {
      await failRun(problem, this);
    }
    return disk;
  }
}
