import type * as pulumi from "@pulumi/pulumi";
import type { RoleExtension } from "../permissions/extendRole";

/** Where the public keys of a cluster's service accounts are published. */
export interface IssuerBucketArgs {
  /**
   * Name of the bucket, which is the issuer's, so that another one is another issuer: tokens of before are no
   * good to AWS from then on. Lower-case letters, digits and `-`.
   */
  readonly bucketName: string;
  /**
   * Public keys to publish besides the cluster's own, PEM: while one key takes the place of another, tokens of
   * both are good. Default: none.
   */
  readonly publicKeys?: readonly string[];
}

/** Who a role is for: one service account. */
export interface ServiceAccountRoleRequest extends RoleExtension {
  /** Namespace of the service account. */
  readonly namespace: string;
  /** Its name. */
  readonly name: string;
  /** More tags. Default: the cluster's. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
