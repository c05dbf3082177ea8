import { isMap, type YAMLMap } from "yaml";
import { type ConfigDocument, ConfigTextError } from "./configText";

/**
 * The mapping that a kubeconfig or talosconfig is.
 *
 * @throws ConfigTextError when it is something else
 */
export function rootMapping({ contents }: ConfigDocument): YAMLMap {
  const root: unknown = contents;
  if (!isMap(root)) {
    throw new ConfigTextError("it is no mapping");
  }
  return root;
}
