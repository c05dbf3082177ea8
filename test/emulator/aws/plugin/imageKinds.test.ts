import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { ec2, REGION, startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

const IMPORT = "aws:ebs/snapshotImport:SnapshotImport";
const NAME = "talos-v1.12.1-0123-amd64";

describe("images, placement and capacity on the emulated cloud", () => {
  let world: SubstituteWorld;
  let s3: S3Client;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    s3 = new S3Client({ ...world.clientSettings, forcePathStyle: true });
    await world.make("aws:s3/bucket:Bucket", { bucket: "disks" });
    await s3.send(new PutObjectCommand({ Bucket: "disks", Key: "disk.raw", Body: "disk" }));
  });

  afterAll(async () => {
    await world.close();
    s3.destroy();
  });

  const importOf = (key: string, roleName: string): Values => ({
    diskContainer: { format: "RAW", userBucket: { s3Bucket: "disks", s3Key: key } },
    roleName,
  });
  const imageOf = (snapshotId: string): Values => ({
    name: NAME,
    architecture: "arm64",
    bootMode: "uefi",
    imdsSupport: "v2.0",
    enaSupport: true,
    virtualizationType: "hvm",
    rootDeviceName: "/dev/xvda",
    ebsBlockDevices: [{ deviceName: "/dev/xvda", snapshotId, volumeType: "gp3" }],
  });

  it("makes an image of a disk, and copies of it elsewhere, whose names are unique in a region", async () => {
    const trust = (service: string) => ({
      assumeRolePolicy: JSON.stringify({
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: service } }],
      }),
    });
    const role = "aws:iam/role:Role";
    await world.make(role, { name: "import", ...trust("vmie.amazonaws.com") });
    await world.make(role, { name: "machines", ...trust("ec2.amazonaws.com") });
    await expect(world.make(IMPORT, importOf("disk.raw", "machines"))).rejects.toThrow(
      /role machines provided does not exist or does not have sufficient/,
    );
    await expect(world.make(IMPORT, importOf("none", "import"))).rejects.toThrow(
      /does not exist or is not accessible: disks\/none/,
    );
    const snapshot = await world.make(IMPORT, {
      ...importOf("disk.raw", "import"),
      tags: { Name: NAME },
    });
    const image = await world.make(ec2("Ami"), imageOf(snapshot.id));
    expect(image.state).toMatchObject({ rootSnapshotId: snapshot.id, bootMode: "uefi" });
    await expect(world.make(ec2("Ami"), imageOf(snapshot.id))).rejects.toThrow(/already in use/);
    const copyArgs = {
      name: NAME,
      sourceAmiId: image.id,
      sourceAmiRegion: REGION,
      region: "eu-west-1",
    };
    const copy = await world.make(ec2("AmiCopy"), { ...copyArgs, tags: { team: "us" } });
    expect(copy.state).toMatchObject({ architecture: "arm64", rootDeviceName: "/dev/xvda" });
    const renamed = await world.change(ec2("AmiCopy"), copy, { ...copyArgs, description: "Talos" });
    await world.remove(ec2("AmiCopy"), renamed);
    await world.remove(ec2("Ami"), image);
    await world.remove(IMPORT, snapshot);
  });

  it("tells whether a bucket has an object", async () => {
    const ask = (key: string) =>
      world.substitute.invoke("aws:s3/getObject:getObject", { bucket: "disks", key });
    expect(await ask("disk.raw")).toMatchObject({ contentLength: 4 });
    await expect(ask("none")).rejects.toThrow();
  });

  it("places machines in a group, which stays as long as one is in it", async () => {
    const type = ec2("PlacementGroup");
    const group = await world.make(type, {
      strategy: "partition",
      partitionCount: 3,
      tags: { team: "us" },
    });
    expect(group.id).toMatch(/^test-[0-9a-f]{7}$/);
    await expect(world.make(type, { strategy: "spread", partitionCount: 3 })).rejects.toThrow(
      /partitionCount must not be set/,
    );
    const images = await world.substitute.invoke("aws:ec2/getAmiIds:getAmiIds", {
      owners: ["540036508848"],
      filters: [{ name: "architecture", values: ["x86_64"] }],
    });
    const [ami = ""] = images.ids as string[];
    const machine: Values = {
      ami,
      instanceType: "m6i.large",
      placementGroup: group.id,
      capacityReservationSpecification: {
        capacityReservationTarget: { capacityReservationId: "cr-0123456789abcdef0" },
      },
    };
    await expect(
      world.make(ec2("Instance"), { ...machine, placementGroup: "none" }),
    ).rejects.toThrow(/Placement Group 'none' is unknown/);
    const together = await world.make(type, { name: "together", strategy: "cluster" });
    const burstable = { ...machine, instanceType: "t3.large", placementGroup: together.id };
    await expect(world.make(ec2("Instance"), burstable)).rejects.toThrow(
      /Cluster placement groups are not supported by the 't3.large'/,
    );
    await world.remove(type, together);
    const made = await world.make(ec2("Instance"), machine);
    expect(made.state).toMatchObject({ placementGroup: group.id });
    const other = { capacityReservationSpecification: { capacityReservationPreference: "none" } };
    await expect(world.change(ec2("Instance"), made, { ...machine, ...other })).rejects.toThrow(
      /stop it first/,
    );
    await world.remove(ec2("Instance"), made);
    await world.remove(
      type,
      await world.change(type, group, {
        strategy: "partition",
        partitionCount: 3,
        tags: { team: "them" },
      }),
    );
  });
});
