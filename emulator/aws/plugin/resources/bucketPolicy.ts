import {
  DeleteBucketPolicyCommand,
  GetBucketPolicyCommand,
  PutBucketPolicyCommand,
} from "@aws-sdk/client-s3";
import { bucketSetting } from "../bucketSetting";
import { json } from "../valueRules";

/**
 * `aws.s3.BucketPolicy`. The only condition that the emulated S3 supports is the refusal of
 * requests without TLS.
 */
export const bucketPolicy = bucketSetting({
  type: "aws:s3/bucketPolicy:BucketPolicy",
  title: "policy of a bucket",
  inputs: { policy: { type: "string", required: true, json: true, rule: json } },
  missing: ["NoSuchBucketPolicy"],

  put: (aws, Bucket, inputs) =>
    aws.s3.send(new PutBucketPolicyCommand({ Bucket, Policy: inputs.requiredString("policy") })),

  get: async (aws, Bucket) => {
    const { Policy } = await aws.s3.send(new GetBucketPolicyCommand({ Bucket }));
    return { policy: Policy ?? "" };
  },

  remove: (aws, Bucket) => aws.s3.send(new DeleteBucketPolicyCommand({ Bucket })),
});
