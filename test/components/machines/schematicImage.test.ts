import * as pulumi from "@pulumi/pulumi";
import { copyProblem, findDiskProblem } from "../../../components/machines/planImageImport";
import {
  SchematicImage,
  type SchematicImageArgs,
} from "../../../components/machines/schematicImage";
import { schematic } from "../../../provider";
import { build, type Calls, valueOf } from "../mockedGraph";

const AMI = "aws:ec2/ami:Ami";
const COPY = "aws:ec2/amiCopy:AmiCopy";
const IMPORT = "aws:ebs/snapshotImport:SnapshotImport";
const POLICY = "aws:iam/rolePolicy:RolePolicy";
const ROLE = "aws:iam/role:Role";
const systemExtensions = ["siderolabs/iscsi-tools"];
const { id } = schematic({ systemExtensions });
const standard: SchematicImageArgs = {
  talosVersion: "v1.12.1",
  architecture: "arm64",
  systemExtensions,
  bucket: "disks",
  key: "talos/disk.raw",
};
const found: Calls = { "aws:s3/getObject:getObject": () => ({ contentLength: 1 }) };
const make = (change: Partial<SchematicImageArgs> = {}, calls = found) =>
  build(() => new SchematicImage("storage", { ...standard, ...change }), { calls });

describe("SchematicImage", () => {
  it("imports a disk and registers it under the name by which machines look for it", async () => {
    const { value, graph } = await make();
    const name = `talos-v1.12.1-${id}-arm64`;
    expect(await valueOf(value.imageName)).toBe(name);
    expect(await valueOf(value.imageId)).toBe("storage-id");
    expect(await valueOf(value.diskUrl)).toBe(
      `https://factory.talos.dev/image/${id}/v1.12.1/aws-arm64.raw.xz`,
    );
    expect(graph.named(IMPORT, "storage").inputs).toMatchObject({
      diskContainer: {
        format: "RAW",
        userBucket: { s3Bucket: "disks", s3Key: "talos/disk.raw" },
      },
      roleName: "storage-import-name",
    });
    expect(graph.named(AMI, "storage").inputs).toMatchObject({
      name,
      architecture: "arm64",
      bootMode: "uefi",
      imdsSupport: "v2.0",
      enaSupport: true,
      virtualizationType: "hvm",
      rootDeviceName: "/dev/xvda",
      ebsBlockDevices: [{ deviceName: "/dev/xvda", snapshotId: "storage-id", volumeType: "gp3" }],
    });
  });

  it("is made again for another release or schematic, and for nothing else", async () => {
    const { graph } = await make();
    const { ignoreChanges, replacementTrigger } = graph.named(IMPORT, "storage");
    expect(ignoreChanges).toEqual(["description", "diskContainer", "roleName"]);
    const other = await make({ bucket: "others", key: "disk.raw" });
    expect(other.graph.named(IMPORT, "storage").replacementTrigger).toEqual(replacementTrigger);
    const newer = await make({ talosVersion: "v1.12.2" });
    expect(newer.graph.named(IMPORT, "storage").replacementTrigger).not.toEqual(replacementTrigger);
  });

  it("lets VM Import read this disk alone, or uses a role that exists", async () => {
    const { graph } = await make();
    expect(JSON.parse(String(graph.named(ROLE, "storage-import").inputs.assumeRolePolicy))).toEqual(
      {
        Version: "2012-10-17",
        Statement: [
          expect.objectContaining({
            Principal: { Service: "vmie.amazonaws.com" },
            Condition: { StringEquals: { "sts:Externalid": "vmimport" } },
          }),
        ],
      },
    );
    const { Statement } = JSON.parse(
      String(graph.named(POLICY, "storage-import").inputs.policy),
    ) as { Statement: { Action: string[]; Resource: string }[] };
    expect(
      Statement.filter(({ Action }) => Action.some((each) => each.startsWith("s3:"))).map(
        ({ Resource }) => Resource,
      ),
    ).toEqual(["arn:aws:s3:::disks", "arn:aws:s3:::disks/talos/disk.raw"]);
    const own = await make({ roleName: "vmimport" });
    expect(own.graph.ofType(ROLE)).toEqual([]);
    expect(own.graph.named(IMPORT, "storage").inputs.roleName).toBe("vmimport");
  });

  it("copies the image to other regions, under its name", async () => {
    const { value, graph } = await make({ copyTo: ["eu-west-1"] });
    expect(graph.named(COPY, "storage-eu-west-1").inputs).toMatchObject({
      region: "eu-west-1",
      name: `talos-v1.12.1-${id}-arm64`,
      sourceAmiId: "storage-id",
      sourceAmiRegion: "us-east-1",
    });
    expect(await valueOf(value.imageIds)).toEqual({
      "us-east-1": "storage-id",
      "eu-west-1": "storage-eu-west-1-id",
    });
  });

  it("says how to put the disk there, if it isn't", async () => {
    const image = { talosVersion: "v1.12.1", architecture: "arm64", schematicId: id } as const;
    const disk = { bucket: "disks", key: "talos/disk.raw" };
    const missing = () => Promise.reject(new Error("couldn't find resource"));
    expect(await findDiskProblem(image, disk, missing)).toBe(
      `can't find the disk s3://disks/talos/disk.raw to import: couldn't find resource. Put it there: curl -fsSL https://factory.talos.dev/image/${id}/v1.12.1/aws-arm64.raw.xz | xz -d | aws s3 cp - s3://disks/talos/disk.raw`,
    );
    expect(await findDiskProblem(image, disk, () => Promise.resolve())).toBeUndefined();
  });

  it("says once that a release known late is none", async () => {
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    onTestFinished(() => told.mockRestore());
    const talosVersion = pulumi.output("1.12");
    await build(() => new SchematicImage("storage", { ...standard, talosVersion }), {
      calls: found,
      preview: true,
    });
    expect(told.mock.calls.map(([problem]) => problem)).toEqual([
      expect.stringMatching(/talosVersion: "1.12" is no Talos release/),
    ]);
  });

  it("makes no copy in its own region", async () => {
    expect(copyProblem("us-east-1", ["eu-west-1", "us-east-1"])).toMatch(
      /^copyTo names "us-east-1", where the image itself is made, .*: leave that region out$/,
    );
    expect(copyProblem("us-east-1", ["eu-west-1"])).toBeUndefined();
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    await build(() => new SchematicImage("storage", { ...standard, copyTo: ["us-east-1"] }), {
      calls: found,
      preview: true,
    });
    expect(told.mock.calls.map(([text]) => text)).toEqual([
      copyProblem("us-east-1", ["us-east-1"]),
    ]);
    told.mockRestore();
  });

  it.each<[Partial<SchematicImageArgs>, RegExp]>([
    [{ talosVersion: "1.12" }, /talosVersion: "1.12" is no Talos release/],
    [{ copyTo: ["Frankfurt"] }, /copyTo\[0\]: "Frankfurt" is no region/],
    [{ copyTo: ["eu-west-1", "eu-west-1"] }, /copyTo\[1\]: "eu-west-1" is named twice/],
  ])("refuses %o", async (change, reason) => {
    await expect(make(change)).rejects.toThrow(reason);
  });
});
