import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type PluginReference, pluginServer, servedAs } from "../provider/engine";
import { useTalosconfig } from "../provider/resources";
import { messageOf, type Properties, propertiesOf, secretNames } from "../provider/rpc";

/** The provider's configuration. All else in the namespace `talos-aws` belongs to programs. */
const OWN_NAMES: readonly string[] = ["talosconfig"];

/** Keeps what is the plugin's, and what the engine itself puts among it. */
export function checkConfiguration(request: messages.CheckRequest): messages.CheckResponse {
  const given = propertiesOf(request.getNews());
  servedAs(referenceOf(request.getUrn(), given));
  const entries = Object.entries(given).filter(
    ([name]) => OWN_NAMES.includes(name) || isEnginesOwn(name),
  );
  const secrets = secretNames(request.getNews());
  const response = new messages.CheckResponse();
  response.setInputs(
    messageOf(Object.fromEntries(entries), (name) => secrets.has(name) || OWN_NAMES.includes(name)),
  );
  return response;
}

/** Applies the configuration to this process. */
export function configure({ talosconfig }: Properties): void {
  useTalosconfig(typeof talosconfig === "string" ? talosconfig : undefined);
}

/**
 * The reference by which a program asked for a provider. The engine puts it into the name of the
 * provider, `default_<version>_<address>`, with `_` and `/` for other characters of the address, and
 * passes the version alone. It may add a version that it found to a provider without one. Source:
 * pulumi v3.230.0 and v3.274.1, pkg/resource/deploy, source_eval.go, and `DefaultName` in
 * providers/provider.go, `FilterProviderConfig` in providers/registry.go.
 *
 * @returns without an address that isn't this package's own: the name doesn't contain it whole
 */
export function referenceOf(urn: string, { version }: Properties): PluginReference {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const hasNoVersion = /^default(?!_\d+_\d+_\d+)/.test(name);
  const pluginDownloadURL = pluginServer();
  return {
    ...(!hasNoVersion && typeof version === "string" && { version }),
    ...(name.endsWith(`_${inName(pluginDownloadURL)}`) && { pluginDownloadURL }),
  };
}

/** Source: `IntoQName` in pulumi v3.274.1, sdk/go/common/tokens/names.go. */
function inName(address: string): string {
  const parts = address.split("/").filter((part) => part !== "");
  return parts.map((part) => part.replace(/[^\w.-]/g, "_")).join("/");
}

/** Source: pulumi v3.230.0, pkg/resource/deploy/providers/provider.go. */
function isEnginesOwn(name: string): boolean {
  return (
    ["version", "pluginDownloadURL", "pluginChecksums"].includes(name) || name.startsWith("__")
  );
}
