import type { ConfigDocument } from "../../../provider/config";
import { textAt, textMapAt, textsAt, valueAt } from "./yamlPath";

/** The manifests in a configuration that Talos applies to the cluster. */
export interface ManifestFacts {
  /** `cluster.token`: an id and a secret. */
  readonly bootstrapToken: string;
  readonly proxyMode: string;
  /** A document about kube-proxy, which then reads a file instead of flags. Since v1.14. */
  readonly proxyDocument: ConfigDocument | undefined;
  readonly proxyArgs: Readonly<Record<string, string>>;
  /** The Kubernetes API for pods in the host network. */
  readonly server: string;
  /** Whether pods may call the Talos API, with credentials of a custom resource. */
  readonly allowsTalosApi: boolean;
  /** Manifests with a URL, with their order. */
  readonly urls: readonly string[];
  /** Text of each inline manifest by its name. */
  readonly inline: readonly { readonly name: string; readonly contents: string }[];
}

const KUBE_PRISM = "https://127.0.0.1:7445";

/**
 * The facts, also those of documents of v1.14.
 *
 * @param config with the settings of documents
 */
export function manifestFacts(
  config: ConfigDocument,
  documents: readonly ConfigDocument[],
): ManifestFacts {
  const inline = valueAt(config, "cluster", "inlineManifests");
  // Talos calls the manifest of a document by the document's name.
  const external = documents.filter(({ kind }) => kind === "KubeExternalManifestConfig");
  const ofDocuments = external.map((document) => textAt(document, "url"));
  const urlsAt = (order: string, ...path: string[]) =>
    textsAt(config, ...path)
      .filter((url) => !ofDocuments.includes(url))
      .map((url) => `${order}-${url}`);
  const isPrism = valueAt(config, "machine", "features", "kubePrism", "enabled") === true;
  return {
    bootstrapToken: textAt(config, "cluster", "token") ?? "",
    proxyMode: textAt(config, "cluster", "proxy", "mode") ?? "nftables",
    proxyDocument: documents.find(({ kind }) => kind === "KubeProxyConfig"),
    proxyArgs: textMapAt(config, "cluster", "proxy", "extraArgs"),
    server: isPrism ? KUBE_PRISM : (textAt(config, "cluster", "controlPlane", "endpoint") ?? ""),
    allowsTalosApi:
      valueAt(config, "machine", "features", "kubernetesTalosAPIAccess", "enabled") === true,
    urls: [
      ...urlsAt("05", "cluster", "network", "cni", "urls"),
      ...urlsAt("30", "cluster", "externalCloudProvider", "manifests"),
      ...urlsAt("99", "cluster", "extraManifests"),
      ...external.map((document) => `99-${textAt(document, "name") ?? ""}`),
    ],
    inline: (Array.isArray(inline) ? inline : []).map((manifest) => ({
      name: textAt(manifest, "name") ?? "",
      contents: textAt(manifest, "contents") ?? "",
    })),
  };
}
