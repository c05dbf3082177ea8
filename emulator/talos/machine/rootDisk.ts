/**
 * The root volume of a Talos AMI as an instance of the Nitro generation sees it: an EBS volume as
 * large as Talos' disk image for AWS (talos v1.12.1, `profile.DefaultRAWDiskSize`).
 */
export const rootDisk = {
  name: "nvme0n1",
  path: "/dev/nvme0n1",
  sizeBytes: 8 * 1024 ** 3,
  prettySize: "8.6 GB",
  model: "Amazon Elastic Block Store",
  sectorSize: 512,
};
