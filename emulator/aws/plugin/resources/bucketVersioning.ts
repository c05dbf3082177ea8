import {
  type BucketVersioningStatus,
  GetBucketVersioningCommand,
  PutBucketVersioningCommand,
} from "@aws-sdk/client-s3";
import { bucketName, bucketSetting } from "../bucketSetting";
import { oneOf } from "../valueRules";

/**
 * `aws.s3.BucketVersioning`. Versioning can only be suspended, not disabled; the delete suspends
 * it.
 */
export const bucketVersioning = bucketSetting({
  type: "aws:s3/bucketVersioning:BucketVersioning",
  title: "versioning of a bucket",
  nameRule: bucketName,
  inputs: {
    versioningConfiguration: {
      type: "block",
      required: true,
      fields: {
        status: { type: "string", required: true, rule: oneOf("Enabled", "Suspended", "Disabled") },
      },
    },
  },
  missing: [],

  put: (aws, Bucket, inputs) =>
    aws.s3.send(
      new PutBucketVersioningCommand({
        Bucket,
        VersioningConfiguration: {
          Status: inputs.block("versioningConfiguration")?.string("status") as
            BucketVersioningStatus | undefined,
        },
      }),
    ),

  get: async (aws, Bucket) => {
    const { Status } = await aws.s3.send(new GetBucketVersioningCommand({ Bucket }));
    return { versioningConfiguration: { status: Status ?? "Disabled" } };
  },

  remove: (aws, Bucket) =>
    aws.s3.send(
      new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Suspended" } }),
    ),
});
