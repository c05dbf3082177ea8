import { parseAccept } from "./accept";
import { discover } from "./discovery";
import type { KubernetesStore } from "./kubernetesStore";
import { metricsText } from "./metrics";
import type { WatchOptions } from "./objectWatch";
import { readObjects } from "./objectReads";
import { openApi } from "./openApi";
import type { RequestBody } from "./requestBody";
import { addressed } from "./resources";
import { KubernetesFailure } from "./statusObject";
import { writeObject } from "./writeRouter";

/** A request of an authenticated client. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly body: RequestBody;
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

/** An answer: a whole body, or a watch on the objects that pass. */
export type ApiAnswer =
  | {
      readonly kind: "body";
      readonly code: number;
      readonly contentType: string;
      readonly body: string;
    }
  | ({ readonly kind: "watch" } & { readonly watch: Omit<WatchOptions, "write"> });

/** Answers a request. Raises `KubernetesFailure`. */
export function answer(request: ApiRequest, context: ApiContext): ApiAnswer {
  const { pathname } = request.url;
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(pathname)) return health(pathname, context);
  if (pathname === "/version") return json(versionObject(context));
  if (pathname === "/metrics") return plain(200, metricsText(context.store));
  const kinds = context.store.objects.kinds;
  const document = openApi(pathname, kinds);
  if (document) return json(document);
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
    kinds,
    aggregated: acceptance.aggregatedDiscovery,
    serverAddress: context.serverAddress,
  });
  if (discovery) return json(discovery.body, 200, discovery.contentType);
  const target = addressed(pathname, kinds);
  if (!target) return unknownPath(pathname, kinds);
  if (!context.hasQuorum) {
    throw new KubernetesFailure(500, "InternalError", "etcdserver: request timed out");
  }
  if (request.method === "GET") return readObjects(request, target, acceptance, context);
  const { code, object } = writeObject(request, target, context);
  return json(object, code);
}

/** A group that isn't there is no part of the API, and its path is answered as any other. */
function unknownPath(
  pathname: string,
  kinds: readonly { readonly group: string; readonly version: string }[],
): ApiAnswer {
  const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)\//.exec(pathname) ?? [];
  const isKnown =
    pathname.startsWith("/api/v1/") ||
    kinds.some((kind) => kind.group === group && kind.version === version);
  if (!isKnown && pathname.startsWith("/apis/")) return plain(404, "404 page not found\n");
  throw new KubernetesFailure(404, "NotFound", "the server could not find the requested resource");
}

function health(pathname: string, { hasQuorum }: ApiContext): ApiAnswer {
  const check = pathname.split("/")[1] ?? "";
  return hasQuorum || check === "livez"
    ? plain(200, "ok")
    : plain(500, `[-]etcd failed: reason withheld\n${check} check failed\n`);
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

function plain(code: number, body: string): ApiAnswer {
  return { kind: "body", code, contentType: "text/plain; charset=utf-8", body };
}

/** An answer in JSON. */
export function json(body: object, code = 200, contentType = "application/json"): ApiAnswer {
  return { kind: "body", code, contentType, body: `${JSON.stringify(body)}\n` };
}
