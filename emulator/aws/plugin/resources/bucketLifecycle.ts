import {
  DeleteBucketLifecycleCommand,
  type ExpirationStatus,
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
} from "@aws-sdk/client-s3";
import { bucketSetting } from "../bucketSetting";
import type { Inputs } from "../inputs";
import type { Property } from "../propertyTable";
import type { Values } from "../value";

const NUMBER = { type: "number" } as const;
const block = (fields: Record<string, Property>) => ({ type: "block", fields }) as const;

/** `aws.s3.BucketLifecycleConfiguration`; the emulated S3 never deletes objects by its rules. */
export const bucketLifecycle = bucketSetting({
  type: "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
  title: "lifecycle of a bucket",
  inputs: {
    rules: {
      type: "blocks",
      required: true,
      fields: {
        id: { type: "string", required: true },
        status: { type: "string", required: true },
        filter: block({ prefix: { type: "string", computed: true } }),
        expiration: block({ days: { ...NUMBER, computed: true } }),
        noncurrentVersionExpiration: block({
          noncurrentDays: { ...NUMBER, required: true },
          newerNoncurrentVersions: NUMBER,
        }),
        abortIncompleteMultipartUpload: block({ daysAfterInitiation: NUMBER }),
      },
    },
  },
  missing: ["NoSuchLifecycleConfiguration"],

  put: (aws, Bucket, inputs) =>
    aws.s3.send(
      new PutBucketLifecycleConfigurationCommand({
        Bucket,
        LifecycleConfiguration: { Rules: inputs.blocks("rules").map(toRule) },
      }),
    ),

  get: async (aws, Bucket) => {
    const { Rules } = await aws.s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    return Rules === undefined || Rules.length === 0 ? undefined : { rules: Rules.map(fromRule) };
  },

  remove: (aws, Bucket) => aws.s3.send(new DeleteBucketLifecycleCommand({ Bucket })),
});

function toRule(rule: Inputs): LifecycleRule {
  const expiration = rule.block("expiration");
  const noncurrent = rule.block("noncurrentVersionExpiration");
  const abort = rule.block("abortIncompleteMultipartUpload");
  return {
    ID: rule.requiredString("id"),
    Status: rule.requiredString("status") as ExpirationStatus,
    // Without a prefix, the rule applies to every object.
    Filter: { Prefix: rule.block("filter")?.string("prefix") ?? "" },
    ...(expiration && { Expiration: { Days: expiration.number("days") } }),
    ...(noncurrent && {
      NoncurrentVersionExpiration: {
        NoncurrentDays: noncurrent.number("noncurrentDays"),
        NewerNoncurrentVersions: noncurrent.number("newerNoncurrentVersions"),
      },
    }),
    ...(abort && {
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: abort.number("daysAfterInitiation") },
    }),
  };
}

function fromRule(rule: LifecycleRule): Values {
  const { Expiration, NoncurrentVersionExpiration, AbortIncompleteMultipartUpload } = rule;
  return {
    id: rule.ID ?? "",
    status: rule.Status ?? "",
    filter: { prefix: rule.Filter?.Prefix ?? "" },
    expiration: Expiration ? { days: Expiration.Days ?? null } : null,
    noncurrentVersionExpiration: NoncurrentVersionExpiration
      ? {
          noncurrentDays: NoncurrentVersionExpiration.NoncurrentDays ?? null,
          newerNoncurrentVersions: NoncurrentVersionExpiration.NewerNoncurrentVersions ?? null,
        }
      : null,
    abortIncompleteMultipartUpload: AbortIncompleteMultipartUpload
      ? { daysAfterInitiation: AbortIncompleteMultipartUpload.DaysAfterInitiation ?? null }
      : null,
  };
}
