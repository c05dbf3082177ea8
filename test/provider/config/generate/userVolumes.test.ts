import type { UserVolume } from "../../../../provider/config/generate/userVolumes";
import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

const kind = "UserVolumeConfig";

test.each(contracts)("%s has a document for each volume", (contract) => {
  expectGenerated(
    contract,
    {
      userVolumes: [
        { name: "data", minSize: "10GiB" },
        {
          name: "logs",
          volumeType: "partition",
          diskSelector: 'disk.transport == "nvme" && !system_disk',
          minSize: "1GB",
          maxSize: "50GiB",
          grow: true,
          filesystem: "ext4",
          encryption: [{ nodeId: {} }],
        },
      ],
    },
    {
      documents: [
        {
          kind,
          name: "data",
          provisioning: { diskSelector: { match: "!system_disk" }, minSize: "10GiB" },
        },
        {
          kind,
          name: "logs",
          provisioning: {
            diskSelector: { match: 'disk.transport == "nvme" && !system_disk' },
            grow: true,
            minSize: "1GB",
            maxSize: "50GiB",
          },
          filesystem: { type: "ext4" },
          encryption: { provider: "luks2", keys: [{ slot: 0, nodeID: {} }] },
        },
      ],
    },
  );
  expectGenerated(contract, { userVolumes: [] }, {});
});

const newer: readonly UserVolume[] = [
  { name: "scratch", volumeType: "directory" },
  { name: "whole", volumeType: "disk", filesystem: "xfs" },
  { name: "most", maxSize: "80%" },
];

test.each(["v1.12", "v1.13"])("%s has directories, whole disks and parts of disks", (contract) => {
  const provisioning = { diskSelector: { match: "!system_disk" } };
  expectGenerated(
    contract,
    { userVolumes: newer },
    {
      documents: [
        { kind, name: "scratch", volumeType: "directory" },
        { kind, name: "whole", volumeType: "disk", provisioning, filesystem: { type: "xfs" } },
        { kind, name: "most", provisioning: { ...provisioning, maxSize: "80%" } },
      ],
    },
  );
});

test.each(["v1.10", "v1.11"])("%s has none, unless its machines run a newer Talos", (contract) => {
  const needs = "needs Talos v1.12: before, all volumes are partitions";
  expect(problemsOf({ versionContract: contract, userVolumes: newer })).toEqual([
    `userVolumes[0].volumeType: "directory" ${needs}`,
    `userVolumes[1].volumeType: "disk" ${needs}`,
    'userVolumes[2].maxSize: "80%" is not a number of bytes, plain or with a unit, like 10GiB',
  ]);
  expect(
    problemsOf({ versionContract: contract, talosVersion: "v1.12.1", userVolumes: newer }),
  ).toEqual([]);
});

test("all problems are reported", () => {
  expect(
    problemsOf({
      userVolumes: [
        { name: "my volume" },
        { name: "data", minSize: "ten", maxSize: "101%", diskSelector: "disk.size >" },
        { name: "data", minSize: "1GB", filesystem: "btrfs" as never },
        { name: "d", volumeType: "directory", grow: true, encryption: [{ nodeId: {} }] },
        { name: "w", volumeType: "disk", maxSize: "1GB", encryption: [{}] },
        { name: "t", volumeType: "tmpfs" as never, minSize: "2GiB", maxSize: "2GB" },
      ],
    }),
  ).toEqual([
    'userVolumes[0].name: "my volume" is not a name for a volume: 1 to 34 letters, digits and hyphens',
    'userVolumes[0].minSize: is missing, or maxSize: write how big the volume is, like "10GiB"',
    'userVolumes[1].diskSelector: "disk.size >" is not a CEL expression, like "!system_disk": something is missing after ">"',
    'userVolumes[1].minSize: "ten" is not a number of bytes, plain or with a unit, like 10GiB',
    'userVolumes[1].maxSize: "101%" is not a number of bytes like 10GiB, or a percentage like 80%',
    'userVolumes[2].name: "data" is the name of another volume already: give each its own',
    'userVolumes[2].filesystem: "btrfs" is not a filesystem of volumes: write one of xfs, ext4',
    "userVolumes[3].grow: has no effect for a directory: leave it out",
    "userVolumes[3].encryption: has no effect for a directory: leave it out",
    "userVolumes[4].maxSize: has no effect for a whole disk: leave it out",
    "userVolumes[4].encryption[0]: has no kind: set one of nodeId, kms, tpm, static",
    'userVolumes[5].volumeType: "tmpfs" is not a type of volume: write one of partition, disk, directory',
    'userVolumes[5].maxSize: "2GB" is less than minSize, "2GiB"',
  ]);
});
