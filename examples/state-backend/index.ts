import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

// Clusters can't be managed without their state: nothing here can be deleted by accident.
const kept = { protect: true };
const { region } = aws.getRegionOutput({});

// It encrypts the data key of each stack's secrets, and the objects in the bucket.
const key = new aws.kms.Key(
  "state",
  { description: "State of Pulumi stacks", enableKeyRotation: true, deletionWindowInDays: 30 },
  kept,
);
const alias = new aws.kms.Alias("state", { name: "alias/pulumi-state", targetKeyId: key.keyId });

const { bucket, arn } = new aws.s3.Bucket("pulumi-state", {}, kept);
// Each update overwrites the state. An older version allows a return from a bad one.
new aws.s3.BucketVersioning("state", {
  bucket,
  versioningConfiguration: { status: "Enabled" },
});
new aws.s3.BucketLifecycleConfiguration("state", {
  bucket,
  rules: [
    {
      id: "old-versions",
      status: "Enabled",
      filter: {},
      noncurrentVersionExpiration: { noncurrentDays: 90, newerNoncurrentVersions: 20 },
      abortIncompleteMultipartUpload: { daysAfterInitiation: 7 },
    },
  ],
});
new aws.s3.BucketServerSideEncryptionConfiguration("state", {
  bucket,
  rules: [
    {
      applyServerSideEncryptionByDefault: { sseAlgorithm: "aws:kms", kmsMasterKeyId: key.arn },
      // One call to KMS serves many objects, because each call costs money.
      bucketKeyEnabled: true,
    },
  ],
});
const closed = new aws.s3.BucketPublicAccessBlock("state", {
  bucket,
  blockPublicAcls: true,
  blockPublicPolicy: true,
  ignorePublicAcls: true,
  restrictPublicBuckets: true,
});
new aws.s3.BucketPolicy(
  "state",
  {
    bucket,
    policy: arn.apply((bucketArn) =>
      JSON.stringify({
        Version: "2012-10-17",
        Statement: [
          {
            Sid: "OnlyOverTls",
            Effect: "Deny",
            Principal: "*",
            Action: "s3:*",
            Resource: [bucketArn, `${bucketArn}/*`],
            Condition: { Bool: { "aws:SecureTransport": "false" } },
          },
        ],
      }),
    ),
  },
  // AWS accepts only one change of a bucket's public access at a time.
  { dependsOn: closed },
);

/** For PULUMI_BACKEND_URL. */
export const backendUrl = pulumi.interpolate`s3://${bucket}?region=${region}&awssdk=v2`;
/** For `pulumi stack init <stack> --secrets-provider …`. */
export const secretsProvider = pulumi.interpolate`awskms://${alias.name}?region=${region}&awssdk=v2`;
