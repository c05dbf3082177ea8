import type { Path } from "../path";
import type { DocumentView } from "./documentView";
import { checkLabelValue, checkQualifiedName } from "./names";

/** The metadata of a machine's Kubernetes node, by the field in `machine`. */
export type NodeMetadata = "nodeLabels" | "nodeAnnotations" | "nodeTaints";

/** Annotations that Talos uses itself. Source: pkg/machinery/constants, Talos v1.12.1. */
const reservedAnnotations = ["owned-annotations", "owned-labels", "owned-taints"].map(
  (name) => `talos.dev/${name}`,
);

const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** All problems of a label, an annotation or a taint (`<value>:<effect>`, `<effect>`). */
export function checkNodeMetadata(section: NodeMetadata, key: string, value: string): string[] {
  return [checkQualifiedName(key), checkValue(section, key, value)].filter(
    (problem) => problem !== undefined,
  );
}

function checkValue(section: NodeMetadata, key: string, value: string): string | undefined {
  if (section === "nodeLabels") {
    return checkLabelValue(value);
  }
  if (section === "nodeAnnotations") {
    return reservedAnnotations.includes(key) ? "is reserved for Talos itself" : undefined;
  }
  const taint = parseTaint(value);
  return taintEffects.includes(taint.effect)
    ? checkLabelValue(taint.value)
    : `${JSON.stringify(value)} has no effect that Kubernetes knows: write "<value>:<effect>", the effect one of ${taintEffects.join(", ")}`;
}

/** The parts of a taint in Talos' notation: `<value>:<effect>`, or only `<effect>`. */
export function parseTaint(taint: string): { readonly value: string; readonly effect: string } {
  const colon = taint.indexOf(":");
  return colon === -1
    ? { value: "", effect: taint }
    : { value: taint.slice(0, colon), effect: taint.slice(colon + 1) };
}

/** Names within Kubernetes' own domains that a kubelet may still set on its node. */
const KUBELET_LABELS =
  /^(?:kubernetes\.io\/(?:hostname|arch|os)|topology\.kubernetes\.io\/(?:region|zone)|(?:[^/]*\.)?(?:node|kubelet)\.kubernetes\.io\/.*|failure-domain\.beta\.kubernetes\.io\/(?:region|zone)|beta\.kubernetes\.io\/(?:instance-type|arch|os))$/;

/**
 * The problem of a label that a worker sets on its own node, as a kubelet; undefined if it may.
 * Source: plugin/pkg/admission/noderestriction, Kubernetes v1.35.
 */
export function checkWorkerLabel(key: string): string | undefined {
  const ownedByKubernetes = /^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(key);
  return ownedByKubernetes && !KUBELET_LABELS.test(key)
    ? `${JSON.stringify(key)} is a label that Kubernetes does not let workers set on their own nodes: set it with kubectl or a controller, or use your own name, like "example.com/role"`
    : undefined;
}

/** The items of a flag with commas between, which may be given several times. */
export function itemsOfFlag(view: DocumentView, path: Path): readonly string[] {
  return [view.text(...path) ?? [], view.texts(...path).map(([, text]) => text)]
    .flat()
    .flatMap((text) => text.split(","));
}

/**
 * Labels that a node's kubelet sets itself. Kubernetes refuses all of a worker's labels for one that
 * it may not set, and a kubelet with such a label in its flag ends. Control planes set `nodeLabels`
 * as administrators. Source: Talos v1.12.1, `k8s/node_apply.go`; Kubernetes v1.35,
 * `cmd/kubelet/app/options/options.go`.
 */
export function checkOwnLabels(view: DocumentView): void {
  if (view.get("machine", "type") === "worker") {
    for (const [key] of view.entries("machine", "nodeLabels")) {
      view.report(["machine", "nodeLabels", key], checkWorkerLabel(key));
    }
  }
  for (const flag of ["node-labels", "node_labels"]) {
    const path = ["machine", "kubelet", "extraArgs", flag];
    for (const label of itemsOfFlag(view, path)) {
      view.report(path, checkWorkerLabel(label.replace(/=.*$/, "")));
    }
  }
}
