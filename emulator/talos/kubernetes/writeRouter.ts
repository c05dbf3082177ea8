import { isMapping } from "../../../provider/config";
import { textAt } from "../config/yamlPath";
import type { ApiContext, ApiRequest } from "./apiRequest";
import { evict } from "./eviction";
import {
  isKubernetesObject,
  nameOf,
  namespaceOf,
  type Json,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";
import { changeNode } from "./nodeWrites";
import { builtIn } from "./objectStore";
import { mirrorPods, viewOf } from "./objectView";
import {
  create,
  notFound,
  patch,
  patched,
  remove,
  replace,
  type ObjectWrite,
  type PatchType,
} from "./objectWrites";
import { patchOf, valueOf } from "./requestBody";
import { groupVersionOf, qualifiedKind, type AddressedResource } from "./resources";
import { KubernetesFailure, methodNotAllowed } from "./statusObject";

/** The answer to a write. */
export interface WriteAnswer {
  readonly code: number;
  readonly object: object;
}

const patchTypes: readonly PatchType[] = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
];

/** Answers POST, PUT, PATCH and DELETE. Throws `KubernetesFailure`. */
export function writeObject(
  request: ApiRequest,
  target: AddressedResource,
  context: ApiContext,
): WriteAnswer {
  const { kind, name, namespace, subresource } = target;
  const { store, now } = context;
  const query = request.url.searchParams;
  const isDryRun = query.get("dryRun") === "All";
  const ofNamespace = namespace ?? "";
  if (subresource === "eviction") {
    return eviction(request, target, context);
  }
  if (subresource !== undefined && subresource !== "status") {
    throw methodNotAllowed();
  }
  if (kind.plural === "nodes") {
    // Only kubelets create nodes.
    if (name === undefined) {
      throw methodNotAllowed();
    }
    return writeNode(request, name, context, isDryRun);
  }
  const write: ObjectWrite = {
    store,
    kind,
    isDryRun,
    key: { namespace: kind.namespaced ? ofNamespace : "", name: name ?? "" },
    manager: { name: managerOf(request), apiVersion: groupVersionOf(kind), now },
  };
  const shown = (object: KubernetesObject) => viewOf(kind, object, store, now);
  switch (`${request.method} ${name === undefined ? "all" : "one"}`) {
    case "POST all": {
      const body = objectIn(request, target);
      const made = create({ ...write, key: { ...write.key, name: nameOf(body) } }, body);
      return { code: 201, object: shown(made.object) };
    }
    case "PUT one":
      return { code: 200, object: shown(replace(write, objectIn(request, target)).object) };
    case "PATCH one": {
      const type = patchTypeOf(request);
      const body = patchIn(request, type, target);
      const result = patch(write, type, body, { force: query.get("force") === "true" });
      return { code: result.isNew ? 201 : 200, object: shown(result.object) };
    }
    case "DELETE one": {
      const mirror = mirrorOf(target, context);
      // The kubelet recreates a static pod's mirror.
      if (mirror) {
        return { code: 200, object: mirror };
      }
      const uid = uidIn(write);
      const object = remove(write, optionsOf(request));
      return {
        code: 200,
        object: object ? shown(object) : success({ name, kind: kind.plural, uid }),
      };
    }
    default:
      throw methodNotAllowed();
  }
}

function writeNode(
  request: ApiRequest,
  name: string,
  { store, now }: ApiContext,
  isDryRun: boolean,
): WriteAnswer {
  const options = { isDryRun, now };
  const kind = builtIn("nodes");
  switch (request.method) {
    case "DELETE": {
      const node = store.node(name);
      if (!node) {
        throw notFound(kind, name);
      }
      if (!isDryRun) {
        store.delete(name);
      }
      return { code: 200, object: success({ name, kind: "nodes", uid: node.uid }) };
    }
    case "PATCH": {
      const type = patchTypeOf(request);
      // The fields of a node have no managers here, so an apply is merged.
      const as = type === "application/apply-patch+yaml" ? "application/merge-patch+json" : type;
      const body = patchOf(request.body);
      const change = (before: JsonObject) => patched(before, as, body) as JsonObject;
      return { code: 200, object: changeNode(store, name, change, options) };
    }
    case "PUT": {
      const body = valueOf(request.body, "Node");
      const change = () => (isMapping(body) ? body : {});
      return { code: 200, object: changeNode(store, name, change, options) };
    }
    default:
      throw methodNotAllowed();
  }
}

function eviction(
  request: ApiRequest,
  target: AddressedResource,
  context: ApiContext,
): WriteAnswer {
  const { name = "", namespace = "", kind } = target;
  if (request.method !== "POST" || kind.plural !== "pods") {
    throw methodNotAllowed();
  }
  const body = valueOf(request.body, "Eviction");
  if ((textAt(body, "metadata", "name") ?? name) !== name) {
    const message = "name in URL does not match name in Eviction object";
    throw new KubernetesFailure(400, "BadRequest", message);
  }
  const options = isMapping(body) && isMapping(body.deleteOptions) ? body.deleteOptions : {};
  const isDryRun = request.url.searchParams.get("dryRun") === "All";
  if (!mirrorOf(target, context)) {
    evict(context.store, { namespace, name }, options, { isDryRun, now: context.now });
  }
  return {
    code: 201,
    object: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
  };
}

function mirrorOf(
  { kind, name, namespace }: AddressedResource,
  { store, now }: ApiContext,
): KubernetesObject | undefined {
  if (kind.plural !== "pods" || namespace !== "kube-system") {
    return undefined;
  }
  return mirrorPods(store, now).find((pod) => nameOf(pod) === name);
}

function uidIn({ store, kind, key }: ObjectWrite): string {
  return textAt(store.objects.find(kind, key), "metadata", "uid") ?? "";
}

function success(details: object): object {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}

/** The field manager: the client's parameter, or the first word of its user agent. */
function managerOf({ url, userAgent }: ApiRequest): string {
  return url.searchParams.get("fieldManager") ?? userAgent?.split("/")[0] ?? "unknown";
}

function patchTypeOf({ body }: ApiRequest): PatchType {
  const type = patchTypes.find((each) => each === body.contentType);
  if (type) {
    return type;
  }
  throw new KubernetesFailure(415, "UnsupportedMediaType", "415: Unsupported Media Type");
}

function patchIn(request: ApiRequest, type: PatchType, target: AddressedResource): Json {
  const body = patchOf(request.body);
  if (type !== "application/apply-patch+yaml") {
    return body;
  }
  if (!request.url.searchParams.has("fieldManager")) {
    const cause = {
      reason: "FieldValueRequired",
      message: "Required value: is required for apply patch",
      field: "fieldManager",
    };
    throw new KubernetesFailure(
      422,
      "Invalid",
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      { group: "meta.k8s.io", kind: "PatchOptions", causes: [cause] },
    );
  }
  if (isMapping(body) && isMapping(body.metadata) && body.metadata.managedFields !== undefined) {
    throw new KubernetesFailure(400, "BadRequest", "metadata.managedFields must be nil");
  }
  return checked(body, target);
}

function objectIn(request: ApiRequest, target: AddressedResource): KubernetesObject {
  return checked(valueOf(request.body, target.kind.kind), target);
}

/** The object in a body. Throws `BadRequest` for another kind, name or namespace. */
function checked(body: Json, { kind, name, namespace }: AddressedResource): KubernetesObject {
  const wrong = (message: string) => new KubernetesFailure(400, "BadRequest", message);
  const given = isMapping(body) && body.metadata === undefined ? { ...body, metadata: {} } : body;
  const isTyped = isMapping(given) && ("kind" in given || "apiVersion" in given);
  // Without kind and version, the body is of the path's resource.
  const typed =
    isMapping(given) && !isTyped
      ? { ...given, apiVersion: groupVersionOf(kind), kind: kind.kind }
      : given;
  if (!isKubernetesObject(typed)) {
    throw wrong(`the object provided is unrecognized (must be of type ${kind.kind})`);
  }
  if (typed.kind !== kind.kind || typed.apiVersion !== groupVersionOf(kind)) {
    const version = groupVersionOf(kind);
    throw wrong(
      `${typed.kind} in version "${typed.apiVersion}" cannot be handled as a ${kind.kind}: converting to ${qualifiedKind(kind)} of ${version}: unknown conversion`,
    );
  }
  if (name !== undefined && nameOf(typed) !== "" && nameOf(typed) !== name) {
    throw wrong(
      `the name of the object (${nameOf(typed)}) does not match the name on the URL (${name})`,
    );
  }
  const own = namespaceOf(typed);
  if (kind.namespaced && own !== "" && own !== namespace) {
    throw wrong(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return typed;
}

/** The options of a DELETE, in its body or query. */
function optionsOf(request: ApiRequest): JsonObject {
  const query = request.url.searchParams;
  const body = request.body.text === "" ? {} : valueOf(request.body, "DeleteOptions");
  const grace = query.get("gracePeriodSeconds");
  const policy = query.get("propagationPolicy");
  return {
    ...(isMapping(body) ? body : {}),
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
  };
}
