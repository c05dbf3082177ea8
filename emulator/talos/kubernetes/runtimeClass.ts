import { talosMinor } from "../../../provider/config";
import { textAt, textMapAt } from "../config/yamlPath";
import { listAt, nameOf, objectAt, type KubernetesObject } from "./kubernetesObject";
import type { NodeRecord } from "./nodeRecord";
import { builtIn, type ObjectStore } from "./objectStore";
import { KubernetesFailure } from "./statusObject";

const runtimeClasses = builtIn("runtimeclasses");

/** The first minor of Talos whose extension for containers of NVIDIA brings no runtime. */
const FIRST_MINOR_WITHOUT_NVIDIA = 14;

/**
 * A pod as the API server takes it: on nodes of its RuntimeClass alone, with the tolerations of that. Source:
 * `plugin/pkg/admission/runtimeclass/admission.go` of Kubernetes v1.36.
 *
 * @throws KubernetesFailure for a RuntimeClass that doesn't exist, or that asks for other nodes
 */
export function admitPod(objects: ObjectStore, pod: KubernetesObject): KubernetesObject {
  const name = textAt(pod, "spec", "runtimeClassName");
  if (name === undefined) {
    return pod;
  }
  const found = objects.find(runtimeClasses, { namespace: "", name });
  if (found === undefined) {
    throw refused(pod, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  }
  const selected = textMapAt(pod, "spec", "nodeSelector");
  const required = textMapAt(found, "scheduling", "nodeSelector");
  for (const [key, value] of Object.entries(required)) {
    const own = selected[key];
    if (own !== undefined && own !== value) {
      throw refused(
        pod,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
    }
  }
  const nodeSelector = { ...selected, ...required };
  const tolerations = [
    ...listAt(pod, "spec", "tolerations"),
    ...listAt(found, "scheduling", "tolerations"),
  ];
  return {
    ...pod,
    spec: {
      ...objectAt(pod, "spec"),
      ...(Object.keys(nodeSelector).length > 0 ? { nodeSelector } : {}),
      ...(tolerations.length > 0 ? { tolerations } : {}),
    },
  };
}

/**
 * Whether a node's container runtime has what the RuntimeClass of a pod names. That of official images is runc alone.
 * What other images have can't be told from their schematic's id, so they have what Talos' release may have.
 */
export function hasRuntime(objects: ObjectStore, pod: KubernetesObject, node: NodeRecord): boolean {
  const name = textAt(pod, "spec", "runtimeClassName");
  const found =
    name === undefined ? undefined : objects.find(runtimeClasses, { namespace: "", name });
  const handler = textAt(found, "handler") ?? "runc";
  if (handler === "runc") {
    return true;
  }
  const isGone =
    handler === "nvidia" && (talosMinor(node.talosVersion) ?? 0) >= FIRST_MINOR_WITHOUT_NVIDIA;
  return node.hasOfficialImage !== true && !isGone;
}

function refused(pod: KubernetesObject, reason: string): KubernetesFailure {
  const name = nameOf(pod);
  return new KubernetesFailure(403, "Forbidden", `pods "${name}" is forbidden: ${reason}`, {
    name,
    kind: "pods",
  });
}
