import type * as pulumi from "@pulumi/pulumi";

/**
 * How people and pipelines log in without a client certificate. API servers judge their tokens, so access
 * ends where their account does.
 */
export interface ClusterAccessArgs {
  /** OpenID Connect issuers whose tokens API servers accept. Default: none. */
  readonly oidc?: readonly OidcIssuerArgs[];
  /** Login with IAM roles and users of an AWS account. Default: none. */
  readonly aws?: AwsLoginArgs;
  /**
   * What groups may do, by the name that Kubernetes sees: `{deployers: {clusterRole: "edit"}}`. The bindings
   * are a manifest of the cluster's own. Default: none; you bind roles yourself.
   */
  readonly groups?: Readonly<Record<string, GroupRoleArgs>>;
}

/** An OpenID Connect issuer, and what of its tokens Kubernetes sees. */
export interface OidcIssuerArgs {
  /**
   * URL of the issuer, `https://…`, exactly as tokens name it. API servers must reach it: they read its public
   * keys there.
   */
  readonly issuerUrl: pulumi.Input<string>;
  /**
   * The clients that tokens are for, of which a token must name one: the ids of your applications there.
   */
  readonly audiences: pulumi.Input<pulumi.Input<string>[]>;
  /** The claim with the user's name. Default: `sub`. */
  readonly usernameClaim?: string;
  /**
   * Comes before each user's name. `""` leaves names as they are. Each issuer needs its own, or a person of
   * one could be a person of another. Default: `oidc:`.
   */
  readonly usernamePrefix?: string;
  /** The claim with the user's groups, a text or a list, such as `groups`. Default: users have no groups. */
  readonly groupsClaim?: string;
  /**
   * Comes before each group's name. With `""`, the issuer's own names count: whoever manages groups there then
   * decides who is in any group that has rights in the cluster. Default: `oidc:`.
   */
  readonly groupsPrefix?: string;
  /** Claims that a token must have, with their values: `{tenant: "example"}`. Default: none. */
  readonly requiredClaims?: Readonly<Record<string, string>>;
  /** The CAs of the issuer's certificate, in PEM. Default: those that API servers trust anyway. */
  readonly certificateAuthority?: pulumi.Input<string>;
}

/**
 * Login with AWS: IAM's outbound identity federation makes an account an OpenID Connect issuer, whose tokens
 * name the caller's role. `talos-aws token` asks for one (`sts:GetWebIdentityToken`), for this cluster alone.
 * Nobody holds a key, and access ends with the permission in IAM, at most an hour later.
 *
 * The account's federation is not created here, because it is one for the whole account: with one cluster, the
 * others would lose it. Tokens are free of charge.
 */
export interface AwsLoginArgs {
  /**
   * URL of the account's issuer, `https://<id>.tokens.sts.global.api.aws`: `issuerIdentifier` of
   * `aws.iam.OutboundWebIdentityFederation`, or of `aws.iam.getOutboundWebIdentityFederationOutput()`.
   */
  readonly issuerUrl: pulumi.Input<string>;
  /**
   * The groups of each IAM role or user, by its ARN with its path:
   * `{"arn:aws:iam::123456789012:role/Dev": ["deployers"]}`. Nobody else is let in. All people with a role are
   * one user, `aws:<ARN>`; the audit log also names the person, where AWS knows one.
   */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /**
   * Allows `system:masters` among the groups, which has all permissions whatever the cluster's rules say.
   * Default: false.
   */
  readonly allowAdministrators?: boolean;
}

/** What a group may do. */
export interface GroupRoleArgs {
  /** Name of a cluster role, such as Kubernetes' own `view`, `edit` and `admin`. */
  readonly clusterRole: string;
  /**
   * The namespaces where it counts. Those that are missing are created, and stay when they are no longer named.
   * Default: everywhere.
   */
  readonly namespaces?: readonly string[];
}
