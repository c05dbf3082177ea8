import { inputProblems } from "../configError";
import type { ConfigDocument } from "../machineConfig";
import type { Generator } from "./generator";
import { customNetworkName } from "./manifestNames";
import { configDocument, documentOf, mapping } from "./mapping";
import { checkManifestUrls } from "./urls";

/** The pod network. */
export interface Cni {
  /**
   * `flannel`: Talos installs it. `none`: you install one. `custom`: Talos applies its manifests.
   */
  readonly name: "flannel" | "none" | "custom";
  /** URLs of the manifests of a custom pod network, in the order to apply them. */
  readonly urls?: readonly string[] | undefined;
}

/** The pod network, and kube-proxy. */
export interface ClusterNetworkOptions {
  /** The pod network, the same on every machine. Default: flannel. */
  readonly cni?: Cni | undefined;
  /**
   * Whether Talos installs kube-proxy. Set false if the pod network replaces it. Without
   * `KubernetesManifests`, kube-proxy then stays in a running cluster until it is deleted. Default:
   * true.
   */
  readonly kubeProxy?: boolean | undefined;
}

const names: readonly string[] = ["flannel", "none", "custom"] satisfies Cni["name"][];

/**
 * The pod network, in `cluster.network.cni` of every machine, and kube-proxy, in `cluster.proxy` of
 * control plane machines, which install it. From contract v1.14 on, control plane machines have both in
 * documents: `KubeFlannelCNIConfig`, or one `KubeExternalManifestConfig` for each URL; `KubeProxyConfig`.
 */
export const clusterNetwork: Generator<ClusterNetworkOptions> = {
  check({ cni }) {
    if (cni === undefined) {
      return [];
    }
    const { name, urls = [] } = cni;
    return [
      ...inputProblems(
        ["cni", "name"],
        names.includes(name)
          ? undefined
          : `${JSON.stringify(name)} is not a kind of CNI: write one of ${names.map((known) => `"${known}"`).join(", ")}`,
      ),
      ...inputProblems(["cni", "urls"], checkUrls(name, urls)),
      ...checkManifestUrls(["cni", "urls"], urls),
    ];
  },

  generate({ machineType, cni, kubeProxy }, { kubernetesDocuments }) {
    if (kubernetesDocuments) {
      return machineType === "worker"
        ? {}
        : {
            documents: [
              ...podNetworkDocuments(cni),
              ...documentOf(
                "KubeProxyConfig",
                kubeProxy === false ? { enabled: false } : undefined,
              ),
            ],
          };
    }
    const fields = cni && { name: cni.name, urls: cni.urls };
    const isLeftOut = kubeProxy === false && machineType === "controlplane";
    const proxy = isLeftOut ? { disabled: true } : undefined;
    return { config: mapping({ cluster: { network: { cni: fields }, proxy } }) };
  },
};

/** How Talos itself sets flannel up. Source: pkg/machinery/constants, v1.14.1. */
const FLANNEL = { backendType: "vxlan", backendPort: 4789 };

function podNetworkDocuments({ name, urls = [] }: Cni = { name: "flannel" }): ConfigDocument[] {
  switch (name) {
    case "flannel":
      return [configDocument("KubeFlannelCNIConfig", FLANNEL)];
    case "none":
      return [];
    case "custom":
      return urls.map((url, index) =>
        configDocument("KubeExternalManifestConfig", { name: customNetworkName(index), url }),
      );
  }
}

function checkUrls(name: string, urls: readonly string[]): string | undefined {
  if (name === "custom") {
    return urls.length === 0
      ? 'are missing: a custom CNI is installed from them; write "none" to install one later'
      : undefined;
  }
  return urls.length > 0
    ? `have no effect with ${JSON.stringify(name)}: set cni.name to "custom", or leave them out`
    : undefined;
}
