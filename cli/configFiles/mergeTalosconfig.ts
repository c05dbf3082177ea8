import { isSeq, type YAMLMap, YAMLSeq } from "yaml";
import {
  ConfigTextError,
  isNone,
  parseConfig,
  renderConfig,
  rootMapping,
  setText,
  TALOSCTL_INDENTATION,
  textAt,
  textScalar,
} from "./configText";
import { type MergeCluster, numberedName } from "./mergeResult";
import { readOwnContext, TalosconfigContexts } from "./talosconfigContexts";

/**
 * Adds a cluster to a talosconfig. A context belongs to the cluster if it has its CA. Another
 * cluster's context of the same name is kept, and ours gets a number, as in `talosctl config
 * merge`.
 */
export const mergeTalosconfig: MergeCluster = (before, own, options = {}) => {
  const { contextName, setCurrent = false } = options;
  const document = parseConfig(before);
  const root = rootMapping(document);
  const contexts = new TalosconfigContexts(document);
  const { name: usual, endpoints, nodes, credentials } = readOwnContext(own);

  const ours = (candidate: string) => contexts.hasAuthority(candidate, credentials.ca);
  const free = (candidate: string) => !contexts.names().includes(candidate);
  if (contextName !== undefined && !ours(contextName) && !free(contextName)) {
    throw new ConfigTextError(
      `it has a context "${contextName}" of another cluster: choose another name with --context, or remove it with "talosctl config remove"`,
    );
  }
  const name = contextName ?? numberedName(usual, { ours, free }, contexts.names().length);
  const current = textAt(root, "context");
  if (setCurrent || current === undefined || current === "") {
    setText(root, "context", name);
  }
  const context = contexts.ensure(name);
  setTexts(context, "endpoints", endpoints);
  if (nodes.length === 0) {
    context.delete("nodes");
  } else {
    setTexts(context, "nodes", nodes);
  }
  for (const [key, text] of Object.entries(credentials)) {
    setText(context, key, text);
  }
  return {
    text: renderConfig(document, before, TALOSCTL_INDENTATION),
    contextName: name,
    ...(contextName === undefined && name !== usual && { renamedFrom: usual }),
    isCurrent: textAt(root, "context") === name,
  };
};

function setTexts(map: YAMLMap, key: string, texts: readonly string[]): void {
  const before = map.get(key, true) as unknown;
  const list = isSeq(before) && !isNone(before) ? before : new YAMLSeq();
  const isSame =
    list.items.length === texts.length &&
    list.items.every((item, index) => String(item) === texts[index]);
  if (isSame && isSeq(before)) {
    return;
  }
  list.items = texts.map(textScalar);
  list.flow = texts.length === 0;
  map.set(key, list);
}
