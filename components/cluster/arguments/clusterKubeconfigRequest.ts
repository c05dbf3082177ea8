import type { UserKubeconfigArgs } from "../../../provider";

/**
 * The user of a kubeconfig; see `UserKubeconfigArgs`. The user's name is part of the resource's
 * name, so it must be known when the program runs. There is one kubeconfig per user.
 */
export interface ClusterKubeconfigRequest extends Pick<
  UserKubeconfigArgs,
  "groups" | "allowAdministrators" | "lifetimeHours" | "renewalWindowHours"
> {
  readonly user: string;
  /** URL of the Kubernetes API. Default: the cluster's endpoint. */
  readonly serverUrl?: UserKubeconfigArgs["serverUrl"];
}
