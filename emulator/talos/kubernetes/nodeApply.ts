import type { Taint } from "../config/machineFacts";
import type { KubernetesStore } from "./kubernetesStore";
import type { NodeMetadata, NodeRecord } from "./nodeRecord";
import { isForbiddenToKubelets } from "./nodeRestriction";

/** The annotation of nodes that Talos itself cordoned. */
const CORDONED = "talos.dev/cordoned";

/** Annotations that list what Talos added to a node, and so may change and remove. */
const owned = {
  labels: "talos.dev/owned-labels",
  annotations: "talos.dev/owned-annotations",
  taints: "talos.dev/owned-taints",
};

/**
 * Sets labels, annotations and taints of a node as Talos does: in one update of all three, without
 * changing those of others. Returns Kubernetes' message if it refuses the update.
 *
 * A control plane does this as an administrator. A worker uses its kubelet's credentials, and
 * NodeRestriction forbids those to change taints and Kubernetes' own labels. Talos sends all three
 * together. So a worker whose `nodeTaints` differ from those at its registration gets no labels and
 * annotations either. If they are equal, Talos records them as its own, and still can't change
 * them.
 *
 * A node that shuts down is cordoned in the same update, with an annotation. A started node is
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
  if (!node) {
    return undefined;
  }
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
    const annotations = { ...next.annotations, [CORDONED]: "true" };
    return { ...next, annotations, isCordoned: true };
  }
  if (wanted === false && node.isCordoned && CORDONED in next.annotations) {
    const { [CORDONED]: _, ...annotations } = next.annotations;
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
    if (!(key in result) || result[key] === value) {
      mine.add(key);
    }
    if (mine.has(key)) {
      result[key] = value;
    }
  }
  const dropped = [...before].filter((key) => !(key in wanted));
  for (const key of dropped) {
    mine.delete(key);
  }
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
    if (!there) {
      result.push(taint);
    } else if (mine.has(taint.key)) {
      result[index] = taint;
    }
    if (!there || isSame(there, taint)) {
      mine.add(taint.key);
    }
  }
  const isKept = ({ key }: Taint) => !before.has(key) || wanted.some((taint) => taint.key === key);
  for (const taint of result) {
    if (!isKept(taint)) {
      mine.delete(taint.key);
    }
  }
  return { result: result.filter(isKept), owned: mine };
}

/** The change that a kubelet may not make on its own node; `undefined` if all are allowed. */
function restriction(before: NodeMetadata, after: NodeMetadata): string | undefined {
  const isSameTaints =
    before.taints.length === after.taints.length &&
    before.taints.every((taint, index) => isSame(taint, after.taints[index]));
  if (!isSameTaints) {
    return "taints";
  }
  const keys = new Set([...Object.keys(before.labels), ...Object.keys(after.labels)]);
  const refused = [...keys]
    .filter((key) => before.labels[key] !== after.labels[key])
    .filter(isForbiddenToKubelets)
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
