import type { KubernetesStore, NodeRecord, StoreEvent } from "./kubernetesStore";
import { nodeCells, nodeColumns, nodeObject } from "./nodeObject";
import { tableObject } from "./table";

/** What a watch on nodes shows, and from where on. */
export interface NodeWatchOptions {
  readonly store: KubernetesStore;
  readonly table: boolean;
  readonly passes: (node: NodeRecord) => boolean;
  readonly query: URLSearchParams;
  /** Gets one JSON line an event. */
  readonly write: (line: string) => void;
}

/**
 * Tells of the nodes as they are and then of each change, until the returned function is called.
 * A watch that names a resource version is told what was written after it; one that asks for
 * initial events is told when they are over.
 */
export function watchNodes(options: NodeWatchOptions): () => void {
  const { store, query, write } = options;
  const since = Number(query.get("resourceVersion") ?? "0");
  const withInitial = query.get("sendInitialEvents") === "true";
  const send = ({ type, node }: StoreEvent) => {
    if (options.passes(node)) write(line(type, objectOf(node, options.table)));
  };
  for (const node of store.nodes) {
    if (withInitial || since === 0) send({ type: "ADDED", node });
    else if (node.resourceVersion > since) send({ type: "MODIFIED", node });
  }
  if (withInitial) write(line("BOOKMARK", bookmark(store.resourceVersion)));
  return store.subscribe(send);
}

function line(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function objectOf(node: NodeRecord, table: boolean): object {
  const now = new Date();
  const object = nodeObject(node, now);
  if (!table) return object;
  return tableObject(nodeColumns, [{ cells: nodeCells(node, now), object }], {
    resourceVersion: `${node.resourceVersion}`,
    includeObject: undefined,
  });
}

function bookmark(resourceVersion: number): object {
  return {
    kind: "Node",
    apiVersion: "v1",
    metadata: {
      resourceVersion: `${resourceVersion}`,
      annotations: { "k8s.io/initial-events-end": "true" },
    },
  };
}
