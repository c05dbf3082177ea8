import { parseAccept, type Acceptance } from "./accept";
import { configMapObject } from "./configMaps";
import { discover } from "./discovery";
import type { KubernetesStore, NodeRecord } from "./kubernetesStore";
import { nodeObject } from "./nodeObject";
import { objectsOf, type ObjectList } from "./objectList";
import { addressed, type ResourceKind } from "./resources";
import { parseSelector } from "./selector";
import { KubernetesFailure } from "./statusObject";
import { tableObject } from "./table";

/** A request of an authenticated client. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly accept: string | undefined;
  /** What the client sent; empty for nothing. */
  readonly body: string;
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
  const { kind, name, namespace } = target;
  if (request.method === "DELETE" && kind.plural === "nodes" && name !== undefined) {
    return deleteNode(name, context);
  }
  if (request.method === "POST" && kind.plural === "configmaps" && namespace !== undefined) {
    const made = context.store.configMaps.create(namespace, request.body);
    return { ...json(configMapObject(made)), code: 201 };
  }
  if (request.method !== "GET") {
    throw new KubernetesFailure(
      405,
      "MethodNotAllowed",
      "the server does not allow this method on the requested resource",
    );
  }
  const query = request.url.searchParams;
  const passes = selection(query, { name, namespace: kind.namespaced ? namespace : undefined });
  if (kind.plural === "nodes" && /^(1|true)$/.test(query.get("watch") ?? "")) {
    return {
      kind: "watch",
      table: acceptance.table,
      passes: (node) => passes(nodeObject(node, context.now).metadata),
    };
  }
  const { columns, rows: all } = objectsOf(kind, context.store, context.now);
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
    apiVersion: kind.group === "" ? "v1" : `${kind.group}/v1`,
    metadata: { resourceVersion },
    items: rows.map(({ object }) => object),
  });
}

function selection(
  query: URLSearchParams,
  wanted: { readonly name: string | undefined; readonly namespace: string | undefined },
): (metadata: ObjectList["rows"][number]["object"]["metadata"]) => boolean {
  const labels = parseSelector(query.get("labelSelector") ?? "");
  const fields = parseSelector(query.get("fieldSelector") ?? "");
  const { name, namespace } = wanted;
  return (metadata) =>
    (name === undefined || metadata.name === name) &&
    (namespace === undefined || metadata.namespace === namespace) &&
    labels(metadata.labels ?? {}) &&
    fields({ "metadata.name": metadata.name, "metadata.namespace": metadata.namespace ?? "" });
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

function json(
  body: object,
  contentType = "application/json",
): Extract<ApiAnswer, { readonly kind: "body" }> {
  return { kind: "body", code: 200, contentType, body: `${JSON.stringify(body)}\n` };
}
