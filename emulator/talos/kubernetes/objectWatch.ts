import { textAt } from "../config/yamlPath";
import type { KubernetesObject } from "./kubernetesObject";
import type { KubernetesStore } from "./kubernetesStore";
import { nodeObject } from "./nodeObject";
import { typeOf } from "./objectStore";
import { cellsFor, columnsFor } from "./objectTable";
import { objectsOf, viewOf } from "./objectView";
import type { ResourceKind } from "./resources";
import { tableObject } from "./table";

/** The objects of a watch, and its start. */
export interface WatchOptions {
  readonly store: KubernetesStore;
  readonly kind: ResourceKind;
  readonly table: boolean;
  readonly passes: (object: KubernetesObject) => boolean;
  readonly query: URLSearchParams;
  /** Gets one JSON line per event. */
  readonly write: (line: string) => void;
}

/**
 * Reports the current objects and then each change, until the returned function is called. A watch
 * with a resource version gets later changes. One that requests initial events gets a bookmark
 * after them. Changes of static pods cause no event.
 */
export function watchObjects(options: WatchOptions): () => void {
  const { store, kind, query, write } = options;
  const since = Number(query.get("resourceVersion") ?? "0");
  const withInitial = query.get("sendInitialEvents") === "true";
  const send = (type: string, object: KubernetesObject) => {
    if (options.passes(object)) {
      write(line(type, formOf(object, options)));
    }
  };
  for (const object of objectsOf(kind, store, new Date())) {
    if (withInitial || since === 0) {
      send("ADDED", object);
    } else if (Number(textAt(object, "metadata", "resourceVersion")) > since) {
      send("MODIFIED", object);
    }
  }
  if (withInitial) {
    write(line("BOOKMARK", bookmark(kind, store.resourceVersion)));
  }
  if (kind.plural === "nodes") {
    return store.subscribe(({ type, node }) => send(type, nodeObject(node, new Date())));
  }
  return store.objects.subscribe(({ type, kind: changed, object }) => {
    if (changed.plural !== kind.plural || changed.group !== kind.group) {
      return;
    }
    send(type, viewOf(kind, object, store, new Date()));
  });
}

function line(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function formOf(object: KubernetesObject, { kind, table, store }: WatchOptions): object {
  if (!table) {
    return object;
  }
  const cells = cellsFor(kind, object, store, new Date());
  return tableObject(columnsFor(kind), [{ cells, object }], {
    resourceVersion: textAt(object, "metadata", "resourceVersion") ?? "",
    includeObject: undefined,
  });
}

function bookmark(kind: ResourceKind, resourceVersion: number): object {
  return {
    ...typeOf(kind),
    metadata: {
      resourceVersion: `${resourceVersion}`,
      annotations: { "k8s.io/initial-events-end": "true" },
    },
  };
}
