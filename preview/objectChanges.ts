import { talosKind } from "../provider/engine";
import { documentAt, type PreviewedResource, type Properties } from "./previewedResource";

/** More objects than a reader goes through, as with a first install. */
const MOST_OBJECTS = 20;

/**
 * The changes of objects of Kubernetes by a `KubernetesObjects`: `Deployment kube-system/x: change`. None for
 * resources of other kinds.
 */
export function objectChanges(resource: PreviewedResource): readonly string[] {
  const { type, operation, oldInputs, newInputs } = resource;
  if (talosKind(type) !== "KubernetesObjects") {
    return [];
  }
  const before = listedIn(oldInputs);
  const after = operation === "delete" ? new Map<string, unknown>() : listedIn(newInputs);
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changes = names.flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === now) {
      return [];
    }
    const what = old === undefined ? "create" : now === undefined ? "delete" : "change";
    // A refresh has found what others have done.
    const drift = typeof old === "string" && old.includes(" by ") ? `, ${old}` : "";
    return [`${name}: ${what}${drift}`];
  });
  const more = changes.length - MOST_OBJECTS;
  return more > 0 ? [...changes.slice(0, MOST_OBJECTS), `and ${more} more objects`] : changes;
}

/** What is listed, by the names of the objects. */
function listedIn(inputs: Properties): ReadonlyMap<string, unknown> {
  const manifests = documentAt(inputs, "objects") ?? {};
  return new Map(
    Object.entries(manifests).flatMap(([manifest, listed]): [string, unknown][] =>
      typeof listed === "object" && listed !== null
        ? Object.entries(listed)
        : [[`the manifest "${manifest}"`, listed]],
    ),
  );
}
