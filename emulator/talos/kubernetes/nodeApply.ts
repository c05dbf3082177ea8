import { checkWorkerLabel } from "../../../provider/config/rules/nodeMetadata";
import type { Taint } from "../config/machineFacts";
import type { KubernetesStore } from "./kubernetesStore";
import type { NodeMetadata, NodeRecord } from "./nodeRecord";

/** With it Talos notes that a node takes no pods because it said so. */
const cordoned = "talos.dev/cordoned";

/** Annotations in which Talos notes what of a node it put there, and may change and remove. */
const owned = {
  labels: "talos.dev/owned-labels",
  annotations: "talos.dev/owned-annotations",
  taints: "talos.dev/owned-taints",
};

/**
 * Puts labels, annotations and taints onto a node as Talos does: in one update of all three, which
 * touches nothing that others put there. Returns why Kubernetes refused that update, in its words.
 *
 * A control plane does it as an administrator. A worker does it with the credentials of its kubelet,
 * which NodeRestriction lets change no taint and no label of Kubernetes' own. Talos sends the three
 * together, so a worker whose `nodeTaints` differ from those its node registered with gets none of its
 * labels and annotations either, from then on. Where they are the same Talos takes them over as its
 * own, and still can't change them.
 *
 * A node that goes down is cordoned in the same update, with an annotation that says so; one that is up is
 * uncordoned only if it has that annotation. A node that another client cordoned stays cordoned.
 *
 * Sources: talos v1.12.1, `k8s/node_apply.go`; kubernetes v1.35, `noderestriction/admission.go`.
 */
export function applyNode(
  store: KubernetesStore,
  name: string,
  wanted: NodeMetadata,
  asKubelet: boolean,
): string | undefined {
  const node = store.node(name);
  if (!node) return undefined;
  const next = withCordon(node, merged(node, wanted), wanted.isCordoned);
  const problem = asKubelet ? restriction(node, next) : undefined;
  if (problem !== undefined) {
    const quoted = JSON.stringify(name);
    return `nodes ${quoted} is forbidden: node ${quoted} is not allowed to modify ${problem}`;
  }
  store.setMetadata(name, next);
  return undefined;
}

function withCordon(
  node: NodeRecord,
  next: NodeMetadata,
  wanted: boolean | undefined,
): NodeMetadata {
  if (wanted === true && !node.isCordoned) {
    const annotations = { ...next.annotations, [cordoned]: "true" };
    return { ...next, annotations, isCordoned: true };
  }
  if (wanted === false && node.isCordoned && cordoned in next.annotations) {
    const { [cordoned]: _, ...annotations } = next.annotations;
    return { ...next, annotations, isCordoned: false };
  }
  return next;
}

function merged(node: NodeRecord, wanted: NodeMetadata): NodeMetadata {
  const labels = entries(node.labels, wanted.labels, ownedOf(node, "labels"));
  const annotations = entries(node.annotations, wanted.annotations, ownedOf(node, "annotations"));
  const taints = taintsOf(node.taints, wanted.taints, ownedOf(node, "taints"));
  return {
    labels: labels.result,
    annotations: {
      ...withoutBooks(annotations.result),
      ...books("labels", labels.owned),
      ...books("annotations", annotations.owned),
      ...books("taints", taints.owned),
    },
    taints: taints.result,
  };
}

function entries(
  current: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
  before: ReadonlySet<string>,
) {
  const result = { ...current };
  const mine = new Set(before);
  for (const [key, value] of Object.entries(wanted)) {
    if (!(key in result) || result[key] === value) mine.add(key);
    if (mine.has(key)) result[key] = value;
  }
  const dropped = [...before].filter((key) => !(key in wanted));
  for (const key of dropped) mine.delete(key);
  const kept = Object.entries(result).filter(([key]) => !dropped.includes(key));
  return { result: Object.fromEntries(kept), owned: mine };
}

function taintsOf(
  current: readonly Taint[],
  wanted: readonly Taint[],
  before: ReadonlySet<string>,
) {
  const mine = new Set(before);
  const result = [...current];
  for (const taint of wanted) {
    const index = result.findIndex(({ key }) => key === taint.key);
    const there = result[index];
    if (!there) result.push(taint);
    else if (mine.has(taint.key)) result[index] = taint;
    if (!there || isSame(there, taint)) mine.add(taint.key);
  }
  const isKept = ({ key }: Taint) => !before.has(key) || wanted.some((taint) => taint.key === key);
  for (const taint of result) if (!isKept(taint)) mine.delete(taint.key);
  return { result: result.filter(isKept), owned: mine };
}

/** What a kubelet may not change of its own node; `undefined` where it changes nothing of that. */
function restriction(before: NodeMetadata, after: NodeMetadata): string | undefined {
  const isSameTaints =
    before.taints.length === after.taints.length &&
    before.taints.every((taint, index) => isSame(taint, after.taints[index]));
  if (!isSameTaints) return "taints";
  const keys = new Set([...Object.keys(before.labels), ...Object.keys(after.labels)]);
  const refused = [...keys]
    .filter((key) => before.labels[key] !== after.labels[key])
    .filter((key) => checkWorkerLabel(key) !== undefined)
    .sort();
  return refused.length > 0 ? `labels: ${refused.join(", ")}` : undefined;
}

function isSame(one: Taint, other: Taint | undefined): boolean {
  return (
    one.key === other?.key &&
    (one.value ?? "") === (other.value ?? "") &&
    one.effect === other.effect
  );
}

function ownedOf({ annotations }: NodeRecord, of: keyof typeof owned): ReadonlySet<string> {
  const keys = JSON.parse(annotations[owned[of]] ?? "[]") as readonly string[];
  return new Set(keys);
}

function books(of: keyof typeof owned, keys: ReadonlySet<string>): Record<string, string> {
  return keys.size > 0 ? { [owned[of]]: JSON.stringify([...keys].sort()) } : {};
}

function withoutBooks(annotations: Record<string, string>): Record<string, string> {
  const kept = Object.entries(annotations).filter(([key]) => !Object.values(owned).includes(key));
  return Object.fromEntries(kept);
}
