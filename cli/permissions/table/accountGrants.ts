import {
  anywhere,
  arn,
  type Grant,
  type GrantedResource,
  globalArn,
  grant,
  type GrantsOf,
  passRole,
} from "../grant";

/** A role's ARN, by one of its properties; a role can have a path. */
function roleArn(resource: GrantedResource, property: string): string {
  const path = resource.text("path");
  const folder = path === "*" || path === "/" ? "" : path.replace(/^\//, "");
  return globalArn(resource, "iam", `role/${folder}${resource.text(property)}`);
}

/** A policy of a role names the role without its path. */
function policyGrants(resource: GrantedResource, actions: readonly string[]): Grant[] {
  const name = resource.text("role").replace(/-[0-9a-f]{7}$/, "-*");
  const direct = globalArn(resource, "iam", `role/${name}`);
  const inFolder = globalArn(resource, "iam", `role/*/${name}`);
  return [grant("iam", actions, name === "*" ? [direct] : [direct, inFolder])];
}

/** The services that a role's trust names. */
function trustedServices(resource: GrantedResource): readonly string[] {
  const trust = resource.text("assumeRolePolicy");
  const named = [...trust.matchAll(/"([a-z0-9-]+)\.amazonaws\.com(\.cn)?"/g)];
  return [...new Set(named.map(([, service = ""]) => service))].filter(
    (service) => service !== "sts",
  );
}

/** Identities. Source: the page of AWS IAM in the Service Authorization Reference. */
export const identityGrants: Readonly<Record<string, GrantsOf>> = {
  "aws:iam/outboundWebIdentityFederation:OutboundWebIdentityFederation": () => [
    anywhere(
      "iam",
      "EnableOutboundWebIdentityFederation",
      "GetOutboundWebIdentityFederationInfo",
      "DisableOutboundWebIdentityFederation",
    ),
  ],
  "aws:iam/role:Role": (resource) => [
    grant(
      "iam",
      [
        "CreateRole",
        "GetRole",
        "DeleteRole",
        "UpdateRole",
        "UpdateRoleDescription",
        "UpdateAssumeRolePolicy",
        "TagRole",
        "UntagRole",
        "ListRoleTags",
        "ListRolePolicies",
        "ListAttachedRolePolicies",
        "ListInstanceProfilesForRole",
        ...(resource.has("permissionsBoundary")
          ? ["PutRolePermissionsBoundary", "DeleteRolePermissionsBoundary"]
          : []),
      ],
      [roleArn(resource, "name")],
    ),
    ...trustedServices(resource).map((service) =>
      passRole(resource, roleArn(resource, "name"), service),
    ),
  ],
  "aws:iam/rolePolicy:RolePolicy": (resource) =>
    policyGrants(resource, ["PutRolePolicy", "GetRolePolicy", "DeleteRolePolicy"]),
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment": (resource) =>
    policyGrants(resource, ["AttachRolePolicy", "DetachRolePolicy", "ListAttachedRolePolicies"]),
  "aws:iam/instanceProfile:InstanceProfile": (resource) => [
    grant(
      "iam",
      [
        "CreateInstanceProfile",
        "GetInstanceProfile",
        "DeleteInstanceProfile",
        "AddRoleToInstanceProfile",
        "RemoveRoleFromInstanceProfile",
        "TagInstanceProfile",
        "UntagInstanceProfile",
      ],
      [
        globalArn(
          resource,
          "iam",
          `instance-profile/${resource.has("path") ? "*" : ""}${resource.text("name")}`,
        ),
      ],
    ),
  ],
  "aws:iam/openIdConnectProvider:OpenIdConnectProvider": (resource) => [
    grant(
      "iam",
      [
        "CreateOpenIDConnectProvider",
        "GetOpenIDConnectProvider",
        "DeleteOpenIDConnectProvider",
        "UpdateOpenIDConnectProviderThumbprint",
        "AddClientIDToOpenIDConnectProvider",
        "RemoveClientIDFromOpenIDConnectProvider",
        "TagOpenIDConnectProvider",
        "UntagOpenIDConnectProvider",
      ],
      [
        globalArn(
          resource,
          "iam",
          `oidc-provider/${resource.text("url").replace(/^https:\/\//, "")}`,
        ),
      ],
    ),
  ],
};

function bucketGrants(
  onBucket: readonly string[],
  onObjects: readonly string[] = [],
): (resource: GrantedResource) => Grant[] {
  return (resource) => {
    const { partition } = resource.scope;
    // An autonamed bucket: what belongs to it records the name with its digits.
    const name = resource.text("bucket").replace(/-[0-9a-f]{7}$/, "-*");
    return [
      grant("s3", onBucket, [`arn:${partition}:s3:::${name}`]),
      ...(onObjects.length === 0
        ? []
        : [grant("s3", onObjects, [`arn:${partition}:s3:::${name}/*`])]),
    ];
  };
}

const BUCKET_READS = [
  "GetBucketAcl",
  "GetBucketCORS",
  "GetBucketLocation",
  "GetBucketLogging",
  "GetBucketObjectLockConfiguration",
  "GetBucketPolicy",
  "GetBucketRequestPayment",
  "GetBucketTagging",
  "GetBucketVersioning",
  "GetBucketWebsite",
  "GetEncryptionConfiguration",
  "GetAccelerateConfiguration",
  "GetLifecycleConfiguration",
  "GetReplicationConfiguration",
  "ListBucket",
];

/** Buckets, log groups and keys. Sources: the pages of Amazon S3, Amazon CloudWatch Logs and AWS KMS in the Service Authorization Reference. */
export const storeGrants: Readonly<Record<string, GrantsOf>> = {
  "aws:s3/bucket:Bucket": (resource) =>
    bucketGrants(
      [
        "CreateBucket",
        "DeleteBucket",
        "PutBucketTagging",
        ...BUCKET_READS,
        "ListTagsForResource",
        "TagResource",
        "UntagResource",
        ...(resource.has("forceDestroy") ? ["ListBucketVersions"] : []),
      ],
      resource.has("forceDestroy") ? ["DeleteObject", "DeleteObjectVersion"] : [],
    )(resource),
  "aws:s3/bucketVersioning:BucketVersioning": bucketGrants([
    "PutBucketVersioning",
    "GetBucketVersioning",
  ]),
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration":
    bucketGrants(["PutEncryptionConfiguration", "GetEncryptionConfiguration"]),
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": bucketGrants([
    "PutLifecycleConfiguration",
    "GetLifecycleConfiguration",
  ]),
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": bucketGrants([
    "PutBucketPublicAccessBlock",
    "GetBucketPublicAccessBlock",
  ]),
  "aws:s3/bucketPolicy:BucketPolicy": bucketGrants([
    "PutBucketPolicy",
    "GetBucketPolicy",
    "DeleteBucketPolicy",
  ]),
  "aws:s3/bucketObjectv2:BucketObjectv2": bucketGrants(
    ["ListBucket", "ListBucketVersions"],
    [
      "PutObject",
      "GetObject",
      "DeleteObject",
      "DeleteObjectVersion",
      "GetObjectAcl",
      "GetObjectTagging",
      "PutObjectTagging",
      "DeleteObjectTagging",
    ],
  ),
  "aws:cloudwatch/logGroup:LogGroup": (resource) => {
    const group = arn(resource, "logs", `log-group:${resource.text("name")}`);
    return [
      anywhere("logs", "DescribeLogGroups"),
      grant(
        "logs",
        [
          "CreateLogGroup",
          "DeleteLogGroup",
          "PutRetentionPolicy",
          "DeleteRetentionPolicy",
          "ListTagsForResource",
          "TagResource",
          "UntagResource",
          ...(resource.has("kmsKeyId") ? ["AssociateKmsKey", "DisassociateKmsKey"] : []),
        ],
        [group, `${group}:*`],
      ),
    ];
  },
  "aws:sqs/queue:Queue": (resource) => [
    grant(
      "sqs",
      [
        "CreateQueue",
        "DeleteQueue",
        "GetQueueAttributes",
        "SetQueueAttributes",
        "ListQueueTags",
        "TagQueue",
        "UntagQueue",
      ],
      [arn(resource, "sqs", resource.text("name"))],
    ),
  ],
  "aws:sqs/queuePolicy:QueuePolicy": (resource) => {
    const name = resource.text("queueUrl").split("/").at(-1) ?? "*";
    return [
      grant("sqs", ["GetQueueAttributes", "SetQueueAttributes"], [arn(resource, "sqs", name)]),
    ];
  },
  "aws:cloudwatch/eventRule:EventRule": (resource) => [
    grant(
      "events",
      [
        "PutRule",
        "DescribeRule",
        "DeleteRule",
        "ListTagsForResource",
        "TagResource",
        "UntagResource",
      ],
      [arn(resource, "events", `rule/${resource.text("name")}`)],
    ),
  ],
  "aws:cloudwatch/eventTarget:EventTarget": (resource) => [
    grant(
      "events",
      ["PutTargets", "RemoveTargets", "ListTargetsByRule"],
      [arn(resource, "events", `rule/${resource.text("rule")}`)],
    ),
  ],
  "aws:kms/key:Key": (resource) => [
    anywhere("kms", "CreateKey"),
    grant(
      "kms",
      [
        "DescribeKey",
        "GetKeyPolicy",
        "PutKeyPolicy",
        "GetKeyRotationStatus",
        "EnableKeyRotation",
        "DisableKeyRotation",
        "EnableKey",
        "DisableKey",
        "ListResourceTags",
        "TagResource",
        "UntagResource",
        "UpdateKeyDescription",
        "ScheduleKeyDeletion",
      ],
      // KMS chooses ids.
      [arn(resource, "kms", "key/*")],
    ),
  ],
  "aws:kms/alias:Alias": (resource) => [
    anywhere("kms", "ListAliases"),
    grant(
      "kms",
      ["CreateAlias", "UpdateAlias", "DeleteAlias"],
      [arn(resource, "kms", resource.text("name")), arn(resource, "kms", "key/*")],
    ),
  ],
};
