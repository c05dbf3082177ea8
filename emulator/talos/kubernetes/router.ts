import {
  type ApiAnswer,
  type ApiContext,
  type ApiRequest,
  json,
  parseAccept,
  plain,
} from "./apiRequest";
import { SELF_REVIEW } from "./clientIdentity";
import { discover } from "./discovery";
import { metricsText } from "./metrics";
import { readObjects } from "./objectReads";
import { openApi, openApiV2 } from "./openApi";
import { addressed } from "./resources";
import { KubernetesFailure } from "./statusObject";
import { writeObject } from "./writeRouter";

/** Answers a request. Throws `KubernetesFailure`. */
export function answer(request: ApiRequest, context: ApiContext): ApiAnswer {
  const { pathname } = request.url;
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(pathname)) {
    return health(pathname, context);
  }
  if (pathname === "/version") {
    return json(versionObject(context));
  }
  if (pathname === "/metrics") {
    return plain(200, metricsText(context.store.deprecatedRequests));
  }
  if (pathname === "/openapi/v2") {
    return openApiV2(request.accept);
  }
  const kinds = context.store.objects.kinds;
  const document = openApi(pathname, kinds);
  if (document) {
    return json(document);
  }
  if (pathname === SELF_REVIEW && request.method === "POST") {
    return json(selfReview(request), 201);
  }
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
  if (discovery) {
    return json(discovery.body, 200, discovery.contentType);
  }
  const target = addressed(pathname, kinds);
  if (!target) {
    return unknownPath(pathname, kinds);
  }
  if (!context.hasQuorum) {
    throw new KubernetesFailure(500, "InternalError", "etcdserver: request timed out");
  }
  const isSecret = target.kind.plural === "secrets" && target.kind.group === "";
  const { encryptionKeys, store } = context;
  if (isSecret) {
    store.encrypted.requireReadable(target, encryptionKeys);
  }
  if (isSecret && request.method !== "GET" && request.method !== "DELETE") {
    store.encrypted.requireWritable(encryptionKeys);
  }
  if (request.method === "GET") {
    return readObjects(request, target, acceptance, context);
  }
  const { code, object } = writeObject(request, target, context);
  if (isSecret) {
    const { metadata } = object as { readonly metadata?: Partial<Record<string, string>> };
    store.encrypted.wrote(metadata?.namespace ?? "", metadata?.name ?? "", encryptionKeys);
  }
  return json(object, code);
}

/** Kubernetes v1.35, `pkg/registry/authentication/selfsubjectreview`. */
function selfReview({ user: { name, groups, extra } }: ApiRequest) {
  return {
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { creationTimestamp: null },
    status: {
      userInfo: {
        username: name,
        groups: [...groups, "system:authenticated"],
        ...(extra && { extra }),
      },
    },
  };
}

/** An unknown group is not part of the API, and its path is answered like any unknown path. */
function unknownPath(
  pathname: string,
  kinds: readonly { readonly group: string; readonly version: string }[],
): ApiAnswer {
  const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)\//.exec(pathname) ?? [];
  const isKnown =
    pathname.startsWith("/api/v1/") ||
    kinds.some((kind) => kind.group === group && kind.version === version);
  if (!isKnown && pathname.startsWith("/apis/")) {
    return plain(404, "404 page not found\n");
  }
  throw new KubernetesFailure(404, "NotFound", "the server could not find the requested resource");
}

function health(pathname: string, { hasQuorum, store, encryptionKeys }: ApiContext): ApiAnswer {
  const check = pathname.split("/")[1] ?? "";
  const failed =
    check === "livez"
      ? undefined
      : hasQuorum
        ? store.encrypted.unreadyCheck(encryptionKeys)
        : "etcd";
  return failed === undefined
    ? plain(200, "ok")
    : plain(500, `[-]${failed} failed: reason withheld\n${check} check failed\n`);
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
