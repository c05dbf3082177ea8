import type { UserKubeconfigArgs } from "../../../provider";

/**
 * For whom a cluster makes a kubeconfig; see `UserKubeconfigArgs`. The user's name is
 * part of the resource's, so it is known when the program runs, and there is one kubeconfig for each.
 */
export interface ClusterKubeconfigRequest extends Pick<
  UserKubeconfigArgs,
  "groups" | "allowAdministrators" | "lifetimeHours" | "renewalWindowHours"
> {
  readonly user: string;
  /** Default: the cluster's endpoint. */
  readonly serverUrl?: UserKubeconfigArgs["serverUrl"];
}
