import type * as pulumi from "@pulumi/pulumi";
import type { RoleExtension } from "../permissions/extendRole";

/** The bucket that publishes the public keys of a cluster's service accounts. */
export interface IssuerBucketArgs {
  /**
   * Name of the bucket. It is part of the issuer's URL, so another name is another issuer: AWS then
   * refuses earlier tokens. Lower-case letters, digits and `-`.
   */
  readonly bucketName: string;
  /**
   * PEM public keys to publish besides the cluster's own. While one key replaces another, tokens of
   * both are valid. Default: none.
   */
  readonly publicKeys?: readonly string[];
}

/** A request for the role of one service account. */
export interface ServiceAccountRoleRequest extends RoleExtension {
  /** Namespace of the service account. */
  readonly namespace: string;
  /** Name of the service account. */
  readonly name: string;
  /** Additional tags. Default: the cluster's. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
