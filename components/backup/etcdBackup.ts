import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { onlyOverTls, partitionOf } from "../permissions/policyDocument";
import { misspeltArguments, refuse } from "../problems";
import { checkBackupBucket } from "./checkBackupBucket";
import type { EtcdBackupArgs } from "./etcdBackupArgs";

const DEFAULT_RETENTION_DAYS = 30;

/** How long a snapshot that was overwritten can be brought back. */
const OVERWRITTEN_DAYS = 7;

const TYPE = "talos-aws:index:EtcdBackup";

/**
 * The bucket that snapshots of etcd are kept in: encrypted, closed to the public, reached by TLS only,
 * emptied of what is old. A snapshot holds every secret of its cluster: who may read the bucket, and
 * use its key, may do everything there, unless snapshots are encrypted before they get here.
 *
 * It costs what is in it, about $0.023 a GB and month (S3 Standard in us-east-1, November 2026): 120
 * snapshots of 50 MB are 6 GB, 14 cents. AWS doesn't delete a bucket that holds something: who ends a
 * cluster decides what becomes of its snapshots, and empties it or takes it out of the stack.
 *
 * @throws pulumi.InputPropertiesError that tells everything wrong with the arguments at once
 */
export class EtcdBackup extends pulumi.ComponentResource {
  readonly bucketName: pulumi.Output<string>;
  /** ARN of the bucket. */
  readonly bucketArn: pulumi.Output<string>;

  constructor(name: string, args: EtcdBackupArgs, opts?: pulumi.ComponentResourceOptions) {
    refuse(`the backup "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...checkBackupBucket(args.bucketName, args),
    ]);
    super(TYPE, name, {}, opts);
    const { bucket, arn } =
      args.adopt === true ? this.findBucket(args.bucketName) : this.makeBucket(name, args);
    this.bucketName = bucket;
    this.bucketArn = arn;
    this.registerOutputs({ bucketName: this.bucketName, bucketArn: this.bucketArn });
  }

  private findBucket(bucketName: string) {
    const { region } = aws.getRegionOutput({}, { parent: this });
    const arn = region.apply((where) => `arn:${partitionOf(where)}:s3:::${bucketName}`);
    return { bucket: pulumi.output(bucketName), arn };
  }

  private makeBucket(name: string, args: EtcdBackupArgs) {
    const { kmsKeyArn, retentionDays = DEFAULT_RETENTION_DAYS, protect = false } = args;
    const child = { parent: this };
    const { bucket, arn } = new aws.s3.Bucket(
      name,
      {
        bucket: args.bucketName,
        tags: pulumi.output(args.tags ?? {}).apply((more) => ({ Name: name, ...more })),
      },
      { ...child, protect },
    );
    new aws.s3.BucketVersioning(
      name,
      { bucket, versioningConfiguration: { status: "Enabled" } },
      child,
    );
    new aws.s3.BucketServerSideEncryptionConfiguration(
      name,
      {
        bucket,
        rules: [
          kmsKeyArn === undefined
            ? { applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } }
            : {
                applyServerSideEncryptionByDefault: {
                  sseAlgorithm: "aws:kms",
                  kmsMasterKeyId: kmsKeyArn,
                },
                // One call to KMS for many objects, which is what such calls cost.
                bucketKeyEnabled: true,
              },
        ],
      },
      child,
    );
    new aws.s3.BucketLifecycleConfiguration(
      name,
      {
        bucket,
        rules: [
          {
            id: "old-snapshots",
            status: "Enabled",
            filter: {},
            expiration: { days: retentionDays },
            noncurrentVersionExpiration: { noncurrentDays: OVERWRITTEN_DAYS },
            abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
          },
        ],
      },
      child,
    );
    const closed = new aws.s3.BucketPublicAccessBlock(
      name,
      {
        bucket,
        blockPublicAcls: true,
        blockPublicPolicy: true,
        ignorePublicAcls: true,
        restrictPublicBuckets: true,
      },
      child,
    );
    new aws.s3.BucketPolicy(
      name,
      { bucket, policy: arn.apply((known) => JSON.stringify(policyOfBucket(known))) },
      // AWS takes one change of what the world may do with a bucket at a time.
      { ...child, dependsOn: closed },
    );
    return { bucket, arn };
  }
}

function policyOfBucket(bucketArn: string) {
  return { Version: "2012-10-17", Statement: [onlyOverTls(bucketArn)] };
}
