import { blockOf, blocksOf, isUnknown, property } from "../property";
import type { JudgedResource, Properties, ResourceRule } from "../rule";

/** Volumes are encrypted, because etcd's contains every secret of the cluster. */
export const encryptedVolumes: ResourceRule = {
  name: "encrypted-volumes",
  description: "Every volume of a machine is encrypted",
  judge: (resource) =>
    volumesOf(resource)
      .filter(([, volume]) => !isUnknown(volume, "encrypted") && !isEncrypted(volume))
      .map(
        ([place]) =>
          `${place} is not encrypted, and etcd keeps the cluster's secrets on disk: set "encrypted" to true there`,
      ),
};

function volumesOf({ type, inputs }: JudgedResource): readonly [string, Properties][] {
  switch (type) {
    case "aws:ec2/instance:Instance":
      return [
        // EC2 creates the root volume like the image, and public images are not encrypted.
        ["rootBlockDevice", blockOf(inputs, "rootBlockDevice")],
        ...blocksOf(inputs, "ebsBlockDevices").map((volume, index): [string, Properties] => [
          `ebsBlockDevices[${index}]`,
          volume,
        ]),
      ];
    case "aws:ec2/launchTemplate:LaunchTemplate": {
      const mappings = blocksOf(inputs, "blockDeviceMappings");
      return mappings.length === 0
        ? [["the root volume", {}]]
        : mappings.flatMap((mapping, index): [string, Properties][] =>
            property(mapping, "ebs") === undefined
              ? []
              : [[`blockDeviceMappings[${index}].ebs`, blockOf(mapping, "ebs")]],
          );
    }
    case "aws:ebs/volume:Volume":
      return [["the volume", inputs]];
    default:
      return [];
  }
}

function isEncrypted(volume: Properties): boolean {
  // A launch template has a text here.
  return property(volume, "encrypted") === true || property(volume, "encrypted") === "true";
}
