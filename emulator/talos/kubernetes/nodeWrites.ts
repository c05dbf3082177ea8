import type { Taint } from "../config/machineFacts";
import { textAt, textMapAt, valueAt } from "../config/yamlPath";
import { listAt, type JsonObject, type KubernetesObject } from "./kubernetesObject";
import type { KubernetesStore } from "./kubernetesStore";
import { nodeObject, ownLabels } from "./nodeObject";
import { builtIn } from "./objectStore";
import { invalid } from "./objectValidation";
import { checkVersion, notFound } from "./objectWrites";

const nodeKind = builtIn("nodes");
const CORDON_TAINT = "node.kubernetes.io/unschedulable";
const LABEL_KEY = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/**
 * Changes a node for a client: its labels, annotations, taints and cordon. The kubelet's fields
 * don't change. Throws `NotFound`, `Conflict` or `Invalid`.
 */
export function changeNode(
  store: KubernetesStore,
  name: string,
  change: (before: JsonObject) => JsonObject,
  { isDryRun, now }: { readonly isDryRun: boolean; readonly now: Date },
): KubernetesObject {
  const node = store.node(name);
  if (!node) {
    throw notFound(nodeKind, name);
  }
  const before = nodeObject(node, now);
  const after = change(before);
  checkVersion(nodeKind, before, after);
  const labels = textMapAt(after, "metadata", "labels");
  const bad = Object.keys(labels).filter((key) => !LABEL_KEY.test(key));
  if (bad.length > 0) {
    throw invalid(nodeKind, name, bad.map(badLabel));
  }
  const metadata = {
    labels: ownLabels(node, labels),
    annotations: textMapAt(after, "metadata", "annotations"),
    taints: listAt(after, "spec", "taints")
      .map(taintOf)
      .filter(({ key }) => key !== CORDON_TAINT),
    isCordoned: valueAt(after, "spec", "unschedulable") === true,
  };
  if (!isDryRun) {
    store.setMetadata(name, metadata);
  }
  const record = isDryRun ? { ...node, ...metadata } : (store.node(name) ?? node);
  return nodeObject(record, now);
}

function taintOf(taint: unknown): Taint {
  const given = taint as JsonObject;
  const value = textAt(given, "value");
  return {
    key: textAt(given, "key") ?? "",
    ...(value === undefined ? {} : { value }),
    effect: textAt(given, "effect") ?? "",
  };
}

function badLabel(key: string) {
  const message = `Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
  return { reason: "FieldValueInvalid", message, field: "metadata.labels" };
}
