import type { Generator } from "./generator";
import { mapping } from "./mapping";
import { checkManifestUrls } from "./urls";

/** A cloud controller manager in the cluster. */
export interface ExternalCloudProvider {
  /** URLs of its manifests. Default: none; it is installed in another way. */
  readonly manifests?: readonly string[] | undefined;
}

/** Whether nodes wait for a cloud controller manager. */
export interface ExternalCloudProviderOptions {
  /**
   * Makes nodes wait for a cloud controller manager. Set it on every machine, and its manifests on
   * control plane machines. Default: none.
   */
  readonly externalCloudProvider?: ExternalCloudProvider | undefined;
}

/**
 * Makes nodes wait for a cloud controller manager, in `cluster.externalCloudProvider` of every
 * machine. Only control plane machines have its manifests, because they apply them.
 */
export const externalCloudProvider: Generator<ExternalCloudProviderOptions> = {
  check: ({ externalCloudProvider: provider }) =>
    checkManifestUrls(["externalCloudProvider", "manifests"], provider?.manifests ?? []),

  generate({ machineType, externalCloudProvider: provider }) {
    if (provider === undefined) {
      return {};
    }
    const manifests = machineType === "controlplane" ? provider.manifests : undefined;
    return {
      config: mapping({ cluster: { externalCloudProvider: { enabled: true, manifests } } }),
    };
  },
};
