import { textAt } from "../config/yamlPath";
import {
  type Acceptance,
  type ApiAnswer,
  type ApiContext,
  type ApiRequest,
  json,
} from "./apiRequest";
import { type KubernetesObject, labelsOf, nameOf, namespaceOf } from "./kubernetesObject";
import { cellsFor, columnsFor } from "./objectTable";
import { objectsOf } from "./objectView";
import { notFound } from "./objectWrites";
import { takePage } from "./pages";
import { type AddressedResource, groupVersionOf } from "./resources";
import { parseSelector } from "./selector";
import { KubernetesFailure, methodNotAllowed } from "./statusObject";
import { partialObject, tableObject } from "./table";

/** Answers a GET of an object, a list or a watch. Throws `NotFound`, or `BadRequest` for a selector. */
export function readObjects(
  request: ApiRequest,
  target: AddressedResource,
  acceptance: Acceptance,
  { store, now }: ApiContext,
): ApiAnswer {
  const { kind, name, subresource } = target;
  if (subresource !== undefined && subresource !== "status") {
    throw methodNotAllowed();
  }
  const query = request.url.searchParams;
  const passes = selection(query, target);
  if (name === undefined && /^(1|true)$/.test(query.get("watch") ?? "")) {
    return { kind: "watch", watch: { store, kind, table: acceptance.table, passes, query } };
  }
  const objects = objectsOf(kind, store, now).filter(passes);
  if (name !== undefined && objects.length === 0) {
    throw notFound(kind, name);
  }
  const resourceVersion = `${store.resourceVersion}`;
  const { metadataOnly } = acceptance;
  if (acceptance.table) {
    const includeObject = query.get("includeObject") ?? undefined;
    const rows = objects.map((object) => ({ object, cells: cellsFor(kind, object, store, now) }));
    return json(tableObject(columnsFor(kind), rows, { resourceVersion, includeObject }));
  }
  if (name !== undefined) {
    const [object = {}] = objects;
    return json(metadataOnly ? partialObject(object) : object);
  }
  const { items, ...page } = takePage(objects, query);
  const metadata = { resourceVersion, ...page };
  if (metadataOnly) {
    return json({
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      metadata,
      items: items.map((object) => partialObject(object)),
    });
  }
  return json({
    kind: `${kind.kind}List`,
    apiVersion: groupVersionOf(kind),
    metadata,
    // As on a real server, items of a list have no kind.
    items: items.map(({ apiVersion: _, kind: __, ...object }) => object),
  });
}

/** Fields for field selectors, besides name and namespace. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  nodes: ["spec.unschedulable"],
  pods: ["spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "status.phase"],
  events: ["involvedObject.name", "involvedObject.kind", "involvedObject.namespace", "reason"],
  secrets: ["type"],
};

function selection(
  query: URLSearchParams,
  { kind, name, namespace }: AddressedResource,
): (object: KubernetesObject) => boolean {
  const labels = parseSelector(query.get("labelSelector") ?? "");
  const text = query.get("fieldSelector") ?? "";
  const fields = parseSelector(text);
  const known = ["metadata.name", "metadata.namespace", ...(selectable[kind.plural] ?? [])];
  for (const term of text.split(",").filter((each) => each !== "")) {
    const field = term.split(/!?=/)[0]?.trim() ?? "";
    if (!known.includes(field)) {
      throw new KubernetesFailure(400, "BadRequest", `field label not supported: ${field}`);
    }
  }
  const fieldsOf = (object: KubernetesObject) =>
    Object.fromEntries(known.map((field) => [field, textAt(object, ...field.split(".")) ?? ""]));
  return (object) =>
    (name === undefined || nameOf(object) === name) &&
    (namespace === undefined || namespaceOf(object) === namespace) &&
    labels(labelsOf(object)) &&
    fields(fieldsOf(object));
}
