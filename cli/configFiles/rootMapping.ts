import { isMap, type YAMLMap } from "yaml";
import { type ConfigDocument, ConfigTextError } from "./configText";

/**
 * The root mapping of a kubeconfig or talosconfig.
 *
 * @throws ConfigTextError if it is not a mapping
 */
export function rootMapping({ contents }: ConfigDocument): YAMLMap {
  const root: unknown = contents;
  if (!isMap(root)) {
    throw new ConfigTextError("it is not a mapping");
  }
  return root;
}
