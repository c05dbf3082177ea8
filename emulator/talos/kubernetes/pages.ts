import { type KubernetesObject, nameOf, namespaceOf } from "./kubernetesObject";
import { KubernetesFailure } from "./statusObject";

/** A part of a list. */
interface Page {
  readonly items: readonly KubernetesObject[];
  /** Where the next page begins; undefined for the last one. */
  readonly continue?: string;
  /** The number of objects after the page. A real server doesn't know it of a selected list. */
  readonly remainingItemCount?: number;
}

/**
 * The page that a request asks for with `limit` and `continue`. A real server goes on with the list
 * as it was; this one with the list as it is, in the same order.
 *
 * Source: kubernetes.io, "Kubernetes API Concepts", "Retrieving large results sets in chunks".
 */
export function takePage(objects: readonly KubernetesObject[], query: URLSearchParams): Page {
  const limit = Number(query.get("limit") ?? 0);
  const from = query.get("continue") ?? "";
  if (limit === 0 && from === "") {
    return { items: objects };
  }
  if (!Number.isSafeInteger(limit) || limit < 0) {
    const reason = `strconv.ParseInt: parsing "${query.get("limit") ?? ""}": invalid syntax`;
    throw new KubernetesFailure(400, "BadRequest", reason);
  }
  const after = Buffer.from(from, "base64url").toString("utf8");
  const sorted = objects
    .map((object) => ({ object, key: `${namespaceOf(object)}/${nameOf(object)}` }))
    .sort((one, other) => Number(one.key > other.key) - Number(one.key < other.key))
    .filter(({ key }) => key > after);
  const taken = limit === 0 ? sorted : sorted.slice(0, limit);
  const items = taken.map(({ object }) => object);
  const last = taken.at(-1);
  const isSelected = query.has("labelSelector") || query.has("fieldSelector");
  return last === undefined || taken.length === sorted.length
    ? { items }
    : {
        items,
        continue: Buffer.from(last.key).toString("base64url"),
        ...(!isSelected && { remainingItemCount: sorted.length - taken.length }),
      };
}
