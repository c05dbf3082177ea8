import {
  DeleteBucketEncryptionCommand,
  GetBucketEncryptionCommand,
  PutBucketEncryptionCommand,
  ServerSideEncryption,
} from "@aws-sdk/client-s3";
import { bucketName, bucketSetting } from "../bucketSetting";
import { memberOf } from "../valueRules";

/** `aws.s3.BucketServerSideEncryptionConfiguration` */
export const bucketEncryption = bucketSetting({
  type: "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
  title: "encryption of a bucket",
  nameRule: bucketName,
  inputs: {
    rules: {
      type: "blocks",
      required: true,
      unordered: true,
      fields: {
        applyServerSideEncryptionByDefault: {
          type: "block",
          fields: {
            sseAlgorithm: { type: "string", required: true, rule: memberOf(ServerSideEncryption) },
            kmsMasterKeyId: { type: "string", computed: true },
          },
        },
        bucketKeyEnabled: { type: "boolean", computed: true },
      },
    },
  },
  missing: ["ServerSideEncryptionConfigurationNotFoundError"],

  put: (aws, Bucket, inputs) =>
    aws.s3.send(
      new PutBucketEncryptionCommand({
        Bucket,
        ServerSideEncryptionConfiguration: {
          Rules: inputs.blocks("rules").map((rule) => {
            const byDefault = rule.block("applyServerSideEncryptionByDefault");
            return {
              ...(byDefault && {
                ApplyServerSideEncryptionByDefault: {
                  SSEAlgorithm: byDefault.requiredString("sseAlgorithm") as ServerSideEncryption,
                  KMSMasterKeyID: byDefault.string("kmsMasterKeyId"),
                },
              }),
              BucketKeyEnabled: rule.boolean("bucketKeyEnabled"),
            };
          }),
        },
      }),
    ),

  get: async (aws, Bucket) => {
    const { ServerSideEncryptionConfiguration: live } = await aws.s3.send(
      new GetBucketEncryptionCommand({ Bucket }),
    );
    return {
      rules: (live?.Rules ?? []).map((rule) => {
        const byDefault = rule.ApplyServerSideEncryptionByDefault;
        return {
          applyServerSideEncryptionByDefault: byDefault
            ? {
                sseAlgorithm: byDefault.SSEAlgorithm ?? "",
                kmsMasterKeyId: byDefault.KMSMasterKeyID ?? null,
              }
            : null,
          bucketKeyEnabled: rule.BucketKeyEnabled ?? false,
        };
      }),
    };
  },

  remove: (aws, Bucket) => aws.s3.send(new DeleteBucketEncryptionCommand({ Bucket })),
});
