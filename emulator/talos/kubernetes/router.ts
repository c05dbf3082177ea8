import { parseAccept, type Acceptance } from "./accept";
import { discover } from "./discovery";
import type { KubernetesStore, NodeRecord } from "./kubernetesStore";
import { nodeCells, nodeColumns, nodeObject, seconds } from "./nodeObject";
import { namespaceNames, resourceKinds, type ResourceKind } from "./resources";
import { parseSelector } from "./selector";
import { KubernetesFailure } from "./statusObject";
import { tableObject, type TableRow } from "./table";

/** A request of an authenticated client. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly accept: string | undefined;
}

/** What the API server answers from. */
export interface ApiContext {
  readonly store: KubernetesStore;
  /** Without a majority of etcd's members nothing can be read. */
  readonly hasQuorum: boolean;
  /** For example `v1.35.0`. */
  readonly version: string;
  readonly architecture: string;
  /** host:port. */
  readonly serverAddress: string;
  readonly now: Date;
}

/** An answer: a whole body, or a watch on the nodes that pass. */
export type ApiAnswer =
  | {
      readonly kind: "body";
      readonly code: number;
      readonly contentType: string;
      readonly body: string;
    }
  | {
      readonly kind: "watch";
      readonly table: boolean;
      readonly passes: (node: NodeRecord) => boolean;
    };

/** A list of the API in the making. */
interface ObjectList {
  readonly columns: readonly (readonly [name: string, priority: number])[];
  readonly rows: readonly (TableRow & {
    readonly object: { readonly metadata: { name: string } };
  })[];
}

/** Answers a request. Raises `KubernetesFailure`. */
export function answer(request: ApiRequest, context: ApiContext): ApiAnswer {
  const { pathname } = request.url;
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(pathname)) return health(pathname, context);
  if (pathname === "/version") return json(versionObject(context));
  const acceptance = parseAccept(request.accept);
  if (!acceptance.json) {
    throw new KubernetesFailure(
      406,
      "NotAcceptable",
      "only the following media types are accepted: application/json",
    );
  }
  const discovery = discover({
    path: pathname,
    aggregated: acceptance.aggregatedDiscovery,
    serverAddress: context.serverAddress,
  });
  if (discovery) return json(discovery.body, discovery.contentType);
  return resource(request, acceptance, context);
}

/** The kind and name a path addresses, namespaced or not. */
export function addressed(
  pathname: string,
): { readonly kind: ResourceKind; readonly name: string | undefined } | undefined {
  const match = /^\/api\/v1(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)(?:\/([^/]+))?$/.exec(pathname);
  const kind = resourceKinds.find(({ plural }) => plural === match?.[1]);
  return kind && { kind, name: match?.[2] };
}

function resource(request: ApiRequest, acceptance: Acceptance, context: ApiContext): ApiAnswer {
  const target = addressed(request.url.pathname);
  if (!target) {
    throw new KubernetesFailure(
      404,
      "NotFound",
      "the server could not find the requested resource",
    );
  }
  if (!context.hasQuorum) {
    throw new KubernetesFailure(500, "InternalError", "etcdserver: request timed out");
  }
  const { kind, name } = target;
  if (request.method === "DELETE" && kind.plural === "nodes" && name !== undefined) {
    return deleteNode(name, context);
  }
  if (request.method !== "GET") {
    throw new KubernetesFailure(
      405,
      "MethodNotAllowed",
      "the server does not allow this method on the requested resource",
    );
  }
  const query = request.url.searchParams;
  const passes = selection(query, name);
  if (kind.plural === "nodes" && /^(1|true)$/.test(query.get("watch") ?? "")) {
    return {
      kind: "watch",
      table: acceptance.table,
      passes: (node) => passes(nodeObject(node, context.now).metadata),
    };
  }
  const { columns, rows: all } = listOf(kind, context);
  const rows = all.filter(({ object }) => passes(object.metadata));
  if (name !== undefined && rows.length === 0) throw notFound(kind, name);
  const resourceVersion = `${context.store.resourceVersion}`;
  if (acceptance.table) {
    const includeObject = query.get("includeObject") ?? undefined;
    return json(tableObject(columns, rows, { resourceVersion, includeObject }));
  }
  if (name !== undefined) return json(rows[0]?.object ?? {});
  return json({
    kind: `${kind.kind}List`,
    apiVersion: "v1",
    metadata: { resourceVersion },
    items: rows.map(({ object }) => object),
  });
}

function listOf(kind: ResourceKind, { store, now }: ApiContext): ObjectList {
  switch (kind.plural) {
    case "nodes":
      return {
        columns: nodeColumns,
        rows: store.nodes.map((node) => ({
          cells: nodeCells(node, now),
          object: nodeObject(node, now),
        })),
      };
    case "namespaces":
      return {
        columns: [
          ["Name", 0],
          ["Status", 0],
        ],
        rows: namespaceNames.map((name) => ({
          cells: [name, "Active"],
          object: namespaceObject(name, store.createdAt),
        })),
      };
    case "pods":
      return {
        columns: [
          ["Name", 0],
          ["Ready", 0],
          ["Status", 0],
        ],
        rows: [],
      };
  }
}

function selection(
  query: URLSearchParams,
  name: string | undefined,
): (metadata: {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}) => boolean {
  const labels = parseSelector(query.get("labelSelector") ?? "");
  const fields = parseSelector(query.get("fieldSelector") ?? "");
  return (metadata) =>
    (name === undefined || metadata.name === name) &&
    labels(metadata.labels ?? {}) &&
    fields({ "metadata.name": metadata.name });
}

function namespaceObject(name: string, createdAt: Date) {
  return {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: {
      name,
      resourceVersion: "1",
      creationTimestamp: seconds(createdAt),
      labels: { "kubernetes.io/metadata.name": name },
    },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

function deleteNode(name: string, { store }: ApiContext): ApiAnswer {
  const node = store.node(name);
  if (!node) throw notFound({ plural: "nodes" }, name);
  store.delete(name);
  return json({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, kind: "nodes", uid: node.uid },
  });
}

function notFound(kind: Pick<ResourceKind, "plural">, name: string): KubernetesFailure {
  return new KubernetesFailure(404, "NotFound", `${kind.plural} "${name}" not found`, {
    name,
    kind: kind.plural,
  });
}

function health(pathname: string, { hasQuorum }: ApiContext): ApiAnswer {
  const check = pathname.split("/")[1] ?? "";
  return hasQuorum || check === "livez"
    ? { kind: "body", code: 200, contentType: "text/plain; charset=utf-8", body: "ok" }
    : {
        kind: "body",
        code: 500,
        contentType: "text/plain; charset=utf-8",
        body: `[-]etcd failed: reason withheld\n${check} check failed\n`,
      };
}

function versionObject({ version, architecture }: ApiContext) {
  const [, major = "", minor = ""] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return {
    major,
    minor,
    gitVersion: version,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "gc",
    platform: `linux/${architecture}`,
  };
}

function json(body: object, contentType = "application/json"): ApiAnswer {
  return { kind: "body", code: 200, contentType, body: `${JSON.stringify(body)}\n` };
}
