import type { PolicyDocument } from "../../components/permissions";
import { groupAlike } from "../../provider/base";
import { type AccountScope, anywhere, type Grant, grant, type GrantsOf } from "./grant";
import { findScope, grantedResource, type KnownResource } from "./grantedResources";
import { identityGrants, storeGrants } from "./table/accountGrants";
import { entranceGrants } from "./table/entranceGrants";
import { imageGrants } from "./table/imageGrants";
import { machineGrants } from "./table/machineGrants";
import { networkGrants } from "./table/networkGrants";

export interface StackPermissions {
  readonly document: PolicyDocument;
  /** Types of AWS resources that the table doesn't know, each once. */
  readonly unknownTypes: readonly string[];
  /** What else is needed that the stack's resources don't tell, in plain words. */
  readonly gaps: readonly string[];
}

const TABLE: Readonly<Record<string, GrantsOf>> = {
  ...networkGrants,
  ...machineGrants,
  ...imageGrants,
  ...entranceGrants,
  ...identityGrants,
  ...storeGrants,
};

/** What the components look up, whatever they create. */
export const LOOKUPS: readonly Grant[] = [
  anywhere(
    "ec2",
    "DescribeAvailabilityZones",
    "DescribeImages",
    "DescribeInstances",
    "DescribeRegions",
    "DescribeInstanceTypeOfferings",
    "DescribeSubnets",
    "DescribeVpcs",
    "DescribeVpcAttribute",
    "DescribeRouteTables",
  ),
  // `GetCallerIdentity` needs no permission.
  anywhere("route53", "ListHostedZones"),
  anywhere("servicequotas", "GetServiceQuota", "GetAWSDefaultServiceQuota"),
];

/**
 * Plans the policy for running Pulumi on a stack: exactly its resources, to create, refresh, change,
 * replace and delete them. Statements with the same resources and conditions are one.
 *
 * @param resources recorded and previewed ones; a resource may be among them twice
 */
export function planPermissions(resources: readonly KnownResource[]): StackPermissions {
  const scope = findScope(resources);
  const ofAws = resources.filter(({ type }) => type.startsWith("aws:"));
  const grants = ofAws.flatMap((resource) => grantsOf(resource, scope));
  const unknownTypes = ofAws.map(({ type }) => type).filter((type) => !(type in TABLE));
  return {
    document: {
      Version: "2012-10-17",
      Statement: merge([...LOOKUPS, imageData(scope), ...grants]),
    },
    unknownTypes: [...new Set(unknownTypes)].sort(),
    gaps: foreignProfiles(ofAws),
  };
}

/**
 * Plans the policy for previews of a stack alone: what its program looks up. Nothing in it changes AWS, or
 * reads user data. A preview with a refresh reads every resource, and so needs the whole policy.
 */
export function planPreviewPermissions(resources: readonly KnownResource[]): StackPermissions {
  const scope = findScope(resources);
  const grants = [...LOOKUPS, ...lookUpsOf(resources, scope)];
  return {
    document: { Version: "2012-10-17", Statement: merge(grants) },
    unknownTypes: [],
    gaps: [
      "this is for previews without --refresh: that reads every resource, and with machines their user data",
    ],
  };
}

/** What the table says of a resource; nothing of an unknown type. */
export function grantsOf(resource: KnownResource, scope: AccountScope): readonly Grant[] {
  return (TABLE[resource.type] ?? (() => []))(grantedResource(resource, scope));
}

/** What programs look up for their resources. */
export function lookUpsOf(
  resources: readonly KnownResource[],
  scope: AccountScope,
): readonly Grant[] {
  return resources.flatMap((resource) =>
    (LOOKED_UP[resource.type] ?? (() => []))(grantedResource(resource, scope)),
  );
}

/** What programs look up for some of their resources: the zone of a record, and the disk of an image. */
const LOOKED_UP: Readonly<Record<string, GrantsOf>> = {
  "aws:route53/record:Record": ({ scope, text }) => [
    grant(
      "route53",
      ["GetHostedZone", "ListResourceRecordSets", "ListTagsForResource"],
      [`arn:${scope.partition}:route53:::hostedzone/${text("zoneId")}`],
    ),
  ],
  "aws:ebs/snapshotImport:SnapshotImport": ({ scope, text }) => {
    const bucket = `arn:${scope.partition}:s3:::${text("diskContainer.userBucket.s3Bucket")}`;
    const object = `${bucket}/${text("diskContainer.userBucket.s3Key")}`;
    return [grant("s3", ["ListBucket"], [bucket]), grant("s3", ["GetObject"], [object])];
  },
};

/**
 * The AWS provider also asks for the UEFI data of an image, by its id, and goes on without an answer (seen with
 * 6.58). No machine has such an id, so this tells nothing of any.
 */
function imageData({ partition, region, account }: ReturnType<typeof findScope>): Grant {
  const images = `arn:${partition}:ec2:${region}:${account}:instance/ami-*`;
  return grant("ec2", ["GetInstanceUefiData"], [images]);
}

/** One statement for the actions that have the same resources, one resource list for the same actions. */
export function merge(grants: readonly Grant[]): PolicyDocument["Statement"] {
  const byActions = groupAlike(grants, ({ actions, conditions }) => [
    [...actions].sort(),
    conditions ?? {},
  ]).map(([first, ...more]) => ({
    ...first,
    resources: sortedOnce([first, ...more].flatMap(({ resources }) => resources)),
  }));
  return groupAlike(byActions, ({ resources, conditions }) => [resources, conditions ?? {}])
    .map(([first, ...more]) => ({
      ...first,
      actions: sortedOnce([first, ...more].flatMap(({ actions }) => actions)),
    }))
    .map(({ actions, resources, conditions }, index) => ({
      Sid: `TalosAws${index + 1}`,
      Effect: "Allow",
      Action: actions,
      Resource: resources.length === 1 ? (resources[0] ?? "*") : resources,
      ...(conditions && { Condition: conditions }),
    }));
}

/** Sorted, without what a pattern among them covers already. */
function sortedOnce(texts: readonly string[]): string[] {
  const unique = [...new Set(texts)].sort();
  const isCovered = (text: string) =>
    unique.some(
      (other) => other !== text && other.endsWith("*") && text.startsWith(other.slice(0, -1)),
    );
  return unique.filter((text) => !isCovered(text));
}

/** Instance profiles that the stack uses and has not created: their role is unknown. */
function foreignProfiles(resources: readonly KnownResource[]): string[] {
  const own = new Set(
    resources
      .filter(({ type }) => type === "aws:iam/instanceProfile:InstanceProfile")
      .map(({ inputs }) => inputs.name),
  );
  const used = resources.flatMap(({ type, inputs }) => {
    const { iamInstanceProfile: profile } = inputs;
    const template = type === "aws:ec2/launchTemplate:LaunchTemplate";
    const name = template ? (profile as { name?: unknown } | undefined)?.name : profile;
    // An unknown name is one that the stack is about to make.
    return typeof name === "string" && /^[\w+=,.@-]{1,128}$/.test(name) && own.size === 0
      ? [name]
      : [];
  });
  return [...new Set(used)]
    .filter((name) => !own.has(name))
    .map(
      (name) =>
        `machines use the instance profile "${name}", which the stack hasn't made: also allow iam:PassRole for the role in it`,
    );
}
