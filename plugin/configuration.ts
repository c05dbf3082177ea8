import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { messageOf, type Properties, propertiesOf, secretNames } from "../provider/rpc/properties";
import { useTalosconfig } from "../provider/talosconfigAccess";
import { type PluginReference, servedAs } from "../provider/usePlugin";

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
 * The reference by which a program asked for a provider. The engine names the provider `default` if
 * the program gave no version, and may add the version that it found. Source: pulumi v3.230.0, pkg/resource/deploy,
 * source_eval.go.
 */
export function referenceOf(
  urn: string,
  { version, pluginDownloadURL }: Properties,
): PluginReference {
  return urn.endsWith("::default")
    ? {}
    : {
        ...(typeof version === "string" && { version }),
        ...(typeof pluginDownloadURL === "string" && { pluginDownloadURL }),
      };
}

/** Source: pulumi v3.230.0, pkg/resource/deploy/providers/provider.go. */
function isEnginesOwn(name: string): boolean {
  return (
    ["version", "pluginDownloadURL", "pluginChecksums"].includes(name) || name.startsWith("__")
  );
}
