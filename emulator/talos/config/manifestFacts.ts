import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { textAt, textMapAt, valueAt } from "./yamlPath";

/** What a configuration says of the manifests that Talos brings into the cluster. */
export interface ManifestFacts {
  /** `cluster.token`: an id and a secret. */
  readonly bootstrapToken: string;
  readonly proxyMode: string;
  readonly proxyArgs: Readonly<Record<string, string>>;
  /** Where pods of the host's network find the Kubernetes API. */
  readonly server: string;
  /** Text of each inline manifest by its name. */
  readonly inline: readonly { readonly name: string; readonly contents: string }[];
}

const kubePrism = "https://127.0.0.1:7445";

/** The facts by the v1alpha1 document. */
export function manifestFacts(config: ConfigDocument): ManifestFacts {
  const inline = valueAt(config, "cluster", "inlineManifests");
  const isPrism = valueAt(config, "machine", "features", "kubePrism", "enabled") === true;
  return {
    bootstrapToken: textAt(config, "cluster", "token") ?? "",
    proxyMode: textAt(config, "cluster", "proxy", "mode") ?? "nftables",
    proxyArgs: textMapAt(config, "cluster", "proxy", "extraArgs"),
    server: isPrism ? kubePrism : (textAt(config, "cluster", "controlPlane", "endpoint") ?? ""),
    inline: (Array.isArray(inline) ? inline : []).map((manifest) => ({
      name: textAt(manifest, "name") ?? "",
      contents: textAt(manifest, "contents") ?? "",
    })),
  };
}
