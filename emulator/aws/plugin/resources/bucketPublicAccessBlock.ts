import {
  DeletePublicAccessBlockCommand,
  GetPublicAccessBlockCommand,
  PutPublicAccessBlockCommand,
} from "@aws-sdk/client-s3";
import { bucketSetting } from "../bucketSetting";

const FLAG = { type: "boolean", default: false } as const;

/** `aws.s3.BucketPublicAccessBlock` */
export const bucketPublicAccessBlock = bucketSetting({
  type: "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
  title: "block of public access to a bucket",
  inputs: {
    blockPublicAcls: FLAG,
    blockPublicPolicy: FLAG,
    ignorePublicAcls: FLAG,
    restrictPublicBuckets: FLAG,
  },
  missing: ["NoSuchPublicAccessBlockConfiguration"],

  put: (aws, Bucket, inputs) =>
    aws.s3.send(
      new PutPublicAccessBlockCommand({
        Bucket,
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: inputs.boolean("blockPublicAcls"),
          BlockPublicPolicy: inputs.boolean("blockPublicPolicy"),
          IgnorePublicAcls: inputs.boolean("ignorePublicAcls"),
          RestrictPublicBuckets: inputs.boolean("restrictPublicBuckets"),
        },
      }),
    ),

  get: async (aws, Bucket) => {
    const { PublicAccessBlockConfiguration: live } = await aws.s3.send(
      new GetPublicAccessBlockCommand({ Bucket }),
    );
    return {
      blockPublicAcls: live?.BlockPublicAcls ?? false,
      blockPublicPolicy: live?.BlockPublicPolicy ?? false,
      ignorePublicAcls: live?.IgnorePublicAcls ?? false,
      restrictPublicBuckets: live?.RestrictPublicBuckets ?? false,
    };
  },

  remove: (aws, Bucket) => aws.s3.send(new DeletePublicAccessBlockCommand({ Bucket })),
});
