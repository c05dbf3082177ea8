import { entranceSearches } from "./entranceSearches";
import { firewallSearches } from "./firewallSearches";
import { machineSearches } from "./machineSearches";
import { networkSearches } from "./networkSearches";
import type { Search } from "./search";

/** Talos' own resources: each finds out by itself how far it got. */
const OWN_TYPES = "pulumi-nodejs:dynamic/";

/**
 * Kinds that AWS takes a second time without making a second one: what they ask for is set, put or
 * attached, and already so. Sources: the API references of CreateTags, AssociateAddress,
 * RegisterTargets, AttachRolePolicy and S3's Put calls; the AWS provider looks by itself whether a volume is attached.
 */
const REPEATABLE: ReadonlySet<string> = new Set([
  "aws:ec2/tag:Tag",
  "aws:ec2/eipAssociation:EipAssociation",
  "aws:ec2/volumeAttachment:VolumeAttachment",
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  "aws:lb/targetGroupAttachment:TargetGroupAttachment",
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
  "aws:s3/bucketObjectv2:BucketObjectv2",
  "aws:s3/bucketPolicy:BucketPolicy",
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
  "aws:s3/bucketVersioning:BucketVersioning",
]);

const SEARCHES: Readonly<Record<string, Search>> = {
  ...networkSearches,
  ...firewallSearches,
  ...machineSearches,
  ...entranceSearches,
};

/**
 * How what was made of a resource is found: a search, `repeatable` when making it again does no harm,
 * or nothing for a kind that is not known.
 */
export function searchFor(type: string): Search | "repeatable" | undefined {
  return type.startsWith(OWN_TYPES) || REPEATABLE.has(type) ? "repeatable" : SEARCHES[type];
}
