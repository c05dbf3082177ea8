import {
  parseConfig,
  renderConfig,
  rootMapping,
  setText,
  TALOSCTL_INDENTATION,
  textAt,
} from "./configText";
import { isNumbered, type RemovalResult } from "./mergeResult";
import { readOwnContext, TalosconfigContexts } from "./talosconfigContexts";

/**
 * Removes a cluster from a talosconfig: the contexts with its CA and its name, with or without a
 * number. Everything else in the file is kept, including comments.
 *
 * @param before the file's text
 * @param own the talosconfig of the cluster
 * @param contextName the name of its context. Default: its own name
 * @throws ConfigTextError if the file can't be read
 */
export function removeTalosconfig(
  before: string,
  own: string,
  { contextName }: { readonly contextName?: string } = {},
): RemovalResult {
  const document = parseConfig(before);
  const root = rootMapping(document);
  const contexts = new TalosconfigContexts(document);
  const { name: usual, credentials } = readOwnContext(own);
  const isMeant = (name: string) =>
    contextName === undefined ? isNumbered(name, usual) : name === contextName;
  const removed = contexts
    .names()
    .filter((name) => isMeant(name) && contexts.hasAuthority(name, credentials.ca));
  for (const name of removed) {
    contexts.delete(name);
  }
  const current = textAt(root, "context");
  const wasCurrent = current !== undefined && removed.includes(current);
  if (wasCurrent) {
    setText(root, "context", "");
  }
  return {
    text: removed.length === 0 ? before : renderConfig(document, before, TALOSCTL_INDENTATION),
    contextNames: removed,
    wasCurrent,
  };
}
