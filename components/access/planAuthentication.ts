import type { ConfigDocument } from "../../provider/config";
import type { AwsLoginArgs, ClusterAccessArgs, OidcIssuerArgs } from "./accessArgs";

/** Comes before the names of AWS' principals. No other issuer may have it. */
export const AWS_USER_PREFIX = "aws:";
/** Comes before the names and groups of other issuers, unless they say otherwise. */
export const OIDC_PREFIX = "oidc:";
/** Names that begin so are Kubernetes' own, and have rights from the start. */
export const RESERVED_PREFIX = "system:";

/** An issuer with all values known. */
export type KnownIssuer = Omit<
  OidcIssuerArgs,
  "issuerUrl" | "audiences" | "certificateAuthority"
> & {
  readonly issuerUrl: string;
  readonly audiences: readonly string[];
  readonly certificateAuthority?: string;
};

/** How people log in, with all values known. */
export interface KnownAccess {
  readonly oidc: readonly KnownIssuer[];
  readonly aws?: Omit<AwsLoginArgs, "issuerUrl"> & { readonly issuerUrl: string };
}

/** Whether API servers accept tokens of any issuer. */
export function hasIssuers({ oidc = [], aws }: ClusterAccessArgs = {}): boolean {
  return oidc.length > 0 || aws !== undefined;
}

/**
 * The authenticators of Kubernetes' AuthenticationConfiguration, `jwt` in it. AWS' comes last.
 *
 * Source: kubernetes.io, "Authenticating", structured authentication; k8s.io/apiserver v0.37.2,
 * `pkg/apis/apiserver/v1beta1/types.go`.
 *
 * @param audience what tokens of AWS are for, the cluster's endpoint
 */
export function planAuthentication(
  { oidc, aws }: KnownAccess,
  audience: string,
): readonly ConfigDocument[] {
  return [
    ...oidc.map(oidcAuthenticator),
    ...(aws === undefined ? [] : [awsAuthenticator(aws, audience)]),
  ];
}

function oidcAuthenticator(issuer: KnownIssuer): ConfigDocument {
  const { issuerUrl: url, audiences, certificateAuthority, requiredClaims = {} } = issuer;
  const { usernameClaim = "sub", usernamePrefix = OIDC_PREFIX } = issuer;
  const { groupsClaim, groupsPrefix = OIDC_PREFIX } = issuer;
  const rules = Object.entries(requiredClaims).map(([claim, requiredValue]) => ({
    claim,
    requiredValue,
  }));
  return {
    issuer: {
      url,
      audiences: [...audiences],
      // Kubernetes asks for it where there are several.
      ...(audiences.length > 1 && { audienceMatchPolicy: "MatchAny" }),
      ...(certificateAuthority !== undefined && { certificateAuthority }),
    },
    ...(rules.length > 0 && { claimValidationRules: rules }),
    claimMappings: {
      username: { claim: usernameClaim, prefix: usernamePrefix },
      ...(groupsClaim !== undefined && { groups: { claim: groupsClaim, prefix: groupsPrefix } }),
    },
    // What an issuer says must not make anybody a part of Kubernetes itself.
    userValidationRules: [
      {
        expression: `!user.username.startsWith(${text(RESERVED_PREFIX)})`,
        message: `the user's name must not begin with ${RESERVED_PREFIX}`,
      },
      {
        expression: `user.groups.all(group, !group.startsWith(${text(RESERVED_PREFIX)}))`,
        message: `groups must not begin with ${RESERVED_PREFIX}`,
      },
    ],
  };
}

/** The claim with what AWS says besides the standard. */
const AWS_CLAIMS = "https://sts.amazonaws.com/";

/**
 * `sub` is the ARN of the role or user with its path, not that of a session. STS lets nobody else have a
 * subject that begins with `arn:`.
 *
 * Source: IAM user guide, "Understanding token claims"; AWS' model of STS (`GetWebIdentityToken`,
 * `SubjectMode`), November 2026.
 */
function awsAuthenticator(
  { issuerUrl: url, roles }: NonNullable<KnownAccess["aws"]>,
  audience: string,
): ConfigDocument {
  const arns = Object.keys(roles).sort();
  const groups = arns.map((arn) => `${text(arn)}: [${(roles[arn] ?? []).map(text).join(", ")}]`);
  return {
    issuer: { url, audiences: [audience] },
    claimValidationRules: [
      {
        expression: `claims.sub in [${arns.map(text).join(", ")}]`,
        message: "the cluster's access.aws.roles doesn't name this role or user",
      },
    ],
    claimMappings: {
      username: { claim: "sub", prefix: AWS_USER_PREFIX },
      groups: {
        // The mapping comes before the rule above, so it has an answer for everybody.
        expression: `{${groups.join(", ")}}[?claims.sub].orValue([])`,
      },
      extra: [
        { key: "sts.amazonaws.com/source-identity", valueExpression: awsClaim("source_identity") },
        {
          key: "sts.amazonaws.com/identity-store-user-id",
          valueExpression: awsClaim("identity_store_user_id"),
        },
      ],
    },
  };
}

/** A claim of AWS', or nothing. Kubernetes leaves out what is empty. */
function awsClaim(name: string): string {
  return `claims[?${text(AWS_CLAIMS)}].?${name}.orValue("")`;
}

/** A text in CEL, which has JSON's escapes. */
function text(value: string): string {
  return JSON.stringify(value);
}
