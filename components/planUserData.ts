import { gzipSync } from "node:zlib";
import * as pulumi from "@pulumi/pulumi";

/** What EC2 takes, before base64. Source: Amazon EC2 user guide, "Run commands at launch". */
export const MAX_USER_DATA_BYTES = 16_384;

/**
 * A machine configuration as EC2 user data, in base64, as Talos reads it on AWS: as it is, or gzip'd
 * where that takes it below EC2's limit. It isn't compressed without need, since compressors differ:
 * another Node.js would make another launch template of the same configuration.
 *
 * It holds secrets, which everyone can read who may call `ec2:DescribeInstanceAttribute` or
 * `ec2:DescribeLaunchTemplateVersions`, and every pod that reaches the metadata service.
 *
 * @throws pulumi.InputPropertiesError, about `property`, for one that is too large gzip'd, too
 */
export function planUserData(
  machineConfiguration: string,
  property = "machineConfiguration",
): string {
  const plain = Buffer.from(machineConfiguration, "utf8");
  if (plain.byteLength <= MAX_USER_DATA_BYTES) {
    return plain.toString("base64");
  }
  const packed = gzipSync(plain, { level: 9 });
  // The system that it was packed on; RFC 1952, section 2.3.1: 255 says that it isn't known.
  packed[9] = 255;
  if (packed.byteLength <= MAX_USER_DATA_BYTES) {
    return packed.toString("base64");
  }
  const reason = `the configuration has ${packed.byteLength} bytes gzip'd, and EC2 takes ${MAX_USER_DATA_BYTES} as user data: leave long texts such as manifests and registries' certificates out of the patches, or have it delivered to running machines`;
  throw new pulumi.InputPropertiesError({
    message: `${property}: ${reason}`,
    errors: [{ propertyPath: property, reason }],
  });
}
