import {
  KUBECTL_INDENTATION,
  parseConfig,
  renderConfig,
  rootMapping,
  setText,
  textAt,
} from "./configText";
import { KubeconfigEntries, readOwnEntries } from "./kubeconfigEntries";
import { KubeconfigOwner } from "./kubeconfigOwner";
import { isNumbered, type RemovalResult } from "./mergeResult";

/**
 * Removes a cluster from a kubeconfig: its contexts, its user, and the cluster itself unless
 * contexts of other users use it. Everything else in the file is kept, including comments.
 *
 * @param before the file's text
 * @param own the kubeconfig of the cluster
 * @throws ConfigTextError if the file can't be read
 */
export function removeKubeconfig(before: string, own: string): RemovalResult {
  const document = parseConfig(before);
  const root = rootMapping(document);
  const entries = new KubeconfigEntries(document);
  const wanted = readOwnEntries(own);
  const owner = new KubeconfigOwner(entries, wanted);

  const removed: string[] = [];
  const ours = entries
    .names("clusters")
    .filter((name) => isNumbered(name, wanted.clusterName))
    .map((name) => ({ ...owner.named(name), contextName: undefined }))
    .filter((names) => owner.has(names));
  for (const names of ours) {
    const contexts = entries.names("contexts").filter((name) => owner.isOwnContext(name, names));
    for (const context of contexts) {
      entries.delete("contexts", context);
      removed.push(context);
    }
    entries.delete("users", names.userName);
    if (!owner.isClusterUsed(names.clusterName)) {
      entries.delete("clusters", names.clusterName);
    }
  }
  const current = textAt(root, "current-context");
  const wasCurrent = current !== undefined && removed.includes(current);
  if (wasCurrent) {
    setText(root, "current-context", "");
  }
  return {
    text: ours.length === 0 ? before : renderConfig(document, before, KUBECTL_INDENTATION),
    contextNames: removed,
    wasCurrent,
  };
}
