import { talosKind } from "../../../provider/engine";
import type { WrittenResource } from "../pendingOperations";
import { endpointSearches } from "./endpointSearches";
import { firewallSearches } from "./firewallSearches";
import { machineSearches } from "./machineSearches";
import { networkSearches } from "./networkSearches";
import type { Search } from "./search";

/**
 * Kinds that can be created again without a duplicate: what they set, put or attach is then already
 * so. Sources: the API references of CreateTags, AssociateAddress, RegisterTargets,
 * AttachRolePolicy, PutLifecycleHook and S3's Put calls. The AWS provider itself checks whether a volume is attached.
 */
const REPEATABLE: ReadonlySet<string> = new Set([
  "aws:autoscaling/lifecycleHook:LifecycleHook",
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
  // Helm refuses what it has already.
  "kubernetes:helm.sh/v3:Release",
]);

/**
 * Kinds whose id is their name, and which the AWS provider has no function to look for. Pulumi makes
 * their names random, so that none belongs to another stack.
 */
const NAMED: ReadonlySet<string> = new Set(["aws:ec2/placementGroup:PlacementGroup"]);

const SEARCHES: Readonly<Record<string, Search>> = {
  ...networkSearches,
  ...firewallSearches,
  ...machineSearches,
  ...endpointSearches,
};

/** Settings for calls. The state alone has them. */
const PROVIDER_PREFIX = "pulumi:providers:";

/**
 * How a created resource is found.
 * - A search, for resources of AWS.
 * - `repeatable`: creating it again does no harm. Components and providers exist in the state alone, and
 *   Talos resources find out their progress themselves.
 * - `named`: its id is its name, and only a refresh tells whether it exists.
 * - undefined: an unknown kind.
 */
export function searchFor({
  type,
  custom,
}: Pick<WrittenResource, "type" | "custom">): Search | "repeatable" | "named" | undefined {
  const isInStateAlone = custom === false || type.startsWith(PROVIDER_PREFIX);
  if (isInStateAlone || talosKind(type) !== undefined || REPEATABLE.has(type)) {
    return "repeatable";
  }
  return NAMED.has(type) ? "named" : SEARCHES[type];
}
