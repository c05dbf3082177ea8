import { isMapping } from "../../../provider/config";
import { textAt } from "../config/yamlPath";
import {
  listAt,
  nameOf,
  numberAt,
  uidOf,
  type Json,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";
import type { KubernetesStore } from "./kubernetesStore";
import { applied, updated, type FieldManager } from "./managedFields";
import { beginEnd, isEnding } from "./namespaceEnd";
import { withDefaults } from "./objectDefaults";
import { jsonPatch, mergePatch, strategicPatch } from "./objectPatch";
import { builtIn, keyOf, type ObjectKey } from "./objectStore";
import { checkName, checkObject } from "./objectValidation";
import { ending } from "./podStore";
import { nameSuffix } from "./podStore";
import { definedKinds, groupVersionOf, qualifiedPlural, type ResourceKind } from "./resources";
import { admitPod } from "./runtimeClass";
import { KubernetesFailure } from "./statusObject";

/** A write of one object. */
export interface ObjectWrite {
  readonly store: KubernetesStore;
  readonly kind: ResourceKind;
  readonly key: ObjectKey;
  readonly manager: FieldManager;
  /** Checks everything, but stores nothing. */
  readonly isDryRun: boolean;
}

/** The result of a write: the object, and whether it is new. */
export interface Written {
  readonly object: KubernetesObject;
  readonly isNew: boolean;
}

/** Creates an object. Throws `AlreadyExists` or `Invalid`. */
export function create(write: ObjectWrite, body: KubernetesObject): Written {
  const { kind, key, store, manager } = write;
  const generated = textAt(body, "metadata", "generateName");
  const name =
    key.name === "" && generated !== undefined ? `${generated}${nameSuffix()}` : key.name;
  const object = named(body, kind, { ...key, name });
  checkName(kind, name);
  if (textAt(body, "metadata", "resourceVersion") !== undefined) {
    throw new KubernetesFailure(
      400,
      "BadRequest",
      "resourceVersion should not be set on objects to be created",
    );
  }
  checkNamespace(write);
  if (store.objects.find(kind, { ...key, name })) {
    const details = { name, ...groupOf(kind), kind: kind.plural };
    const message = `${qualifiedPlural(kind)} "${name}" already exists`;
    throw new KubernetesFailure(409, "AlreadyExists", message, details);
  }
  const admitted = kind.plural === "pods" ? admitPod(store.objects, object) : object;
  return stored(write, undefined, updated(undefined, withDefaults(admitted), manager));
}

/** Replaces an object. Throws `NotFound`, or `Conflict` when another client changed it meanwhile. */
export function replace(write: ObjectWrite, body: KubernetesObject): Written {
  const { kind, key, manager } = write;
  const before = existing(write);
  checkVersion(kind, before, body);
  const object = { ...named(body, kind, key), ...kept(before) };
  return stored(write, before, updated(before, withDefaults(inherited(before, object)), manager));
}

/** Media types of patches. */
export type PatchType =
  | "application/apply-patch+yaml"
  | "application/json-patch+json"
  | "application/merge-patch+json"
  | "application/strategic-merge-patch+json";

/** Patches an object; an apply may create it. Throws `NotFound` or `Conflict`. */
export function patch(
  write: ObjectWrite,
  type: PatchType,
  body: Json,
  options: { readonly force: boolean },
): Written {
  const { kind, key, store, manager } = write;
  if (type === "application/apply-patch+yaml") {
    const configuration = named(body as KubernetesObject, kind, key);
    const before = store.objects.find(kind, key);
    if (!before) {
      checkName(kind, key.name);
      checkNamespace(write);
    } else {
      checkVersion(kind, before, configuration);
    }
    const next = applied(before, configuration, manager, options.force);
    return stored(write, before, withDefaults(inherited(before, next)));
  }
  const before = existing(write);
  const after = patched(before, type, body);
  if (!isMapping(after)) {
    throw new KubernetesFailure(400, "BadRequest", "the patch is no object");
  }
  const object = named(after as KubernetesObject, kind, key);
  checkVersion(kind, before, object);
  return stored(
    write,
    before,
    updated(before, withDefaults({ ...object, ...kept(before) }), manager),
  );
}

/** A value with a patch applied. */
export function patched(before: JsonObject, type: PatchType, body: Json): Json {
  if (type === "application/merge-patch+json") {
    return mergePatch(before, body);
  }
  if (type === "application/strategic-merge-patch+json") {
    return strategicPatch(before, body);
  }
  return jsonPatch(before, Array.isArray(body) ? body : []);
}

/**
 * Deletes an object, and the objects that it owns. A pod gets its grace period, and a namespace ends after
 * what is in it. Returns the object if it still exists, like the server. Throws `NotFound`, or `Conflict` for a failed precondition.
 */
export function remove(write: ObjectWrite, options: JsonObject): KubernetesObject | undefined {
  const { kind, key, store, isDryRun, manager } = write;
  const object = existing(write);
  checkPreconditions(kind, object, options);
  store.admit("DELETE", object);
  if (kind.plural === "pods") {
    const grace =
      numberAt(options, "gracePeriodSeconds") ??
      numberAt(object, "spec", "terminationGracePeriodSeconds") ??
      30;
    if (!isDryRun) {
      store.endPod(object, grace, manager.now);
    }
    return isDryRun
      ? ending(object, grace, manager.now, store.pace)
      : (store.objects.find(kind, key) ?? object);
  }
  if (isDryRun) {
    return undefined;
  }
  if (kind.plural === "namespaces") {
    beginEnd(store.objects, object, manager.now, store.pace);
    return store.objects.find(kind, key);
  }
  if (finalizersOf(object).length > 0) {
    const deletionTimestamp =
      textAt(object, "metadata", "deletionTimestamp") ?? manager.now.toISOString();
    const metadata = { ...object.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 };
    return store.objects.put(kind, { ...object, metadata });
  }
  if (kind.plural === "customresourcedefinitions") {
    removeDefined(store, object);
  }
  store.objects.remove(kind, key);
  if (textAt(options, "propagationPolicy") !== "Orphan") {
    removeOwned(store, uidOf(object));
  }
  return undefined;
}

/** What must happen elsewhere before an object is gone (Kubernetes v1.35, `registry/generic/registry/store.go`). */
function finalizersOf(object: KubernetesObject) {
  return listAt(object, "metadata", "finalizers");
}

/** A definition takes its objects with it. */
function removeDefined(store: KubernetesStore, definition: KubernetesObject): void {
  for (const kind of definedKinds(definition)) {
    store.objects.list(kind).forEach((each) => store.objects.remove(kind, keyOf(each)));
  }
}

/** Pods are left to the controllers, which terminate them when their owner is deleted. */
function removeOwned(store: KubernetesStore, uid: string): void {
  for (const each of store.objects.kinds.filter(({ plural }) => plural !== "pods")) {
    for (const object of store.objects.list(each)) {
      const owners = listAt(object, "metadata", "ownerReferences");
      if (!owners.some((owner) => textAt(owner, "uid") === uid)) {
        continue;
      }
      store.objects.remove(each, keyOf(object));
      removeOwned(store, uidOf(object));
    }
  }
}

/** Throws `Conflict` unless an object fulfils the preconditions. */
export function checkPreconditions(
  kind: ResourceKind,
  object: KubernetesObject,
  options: JsonObject,
): void {
  for (const [key, words] of [
    ["uid", "UID"],
    ["resourceVersion", "ResourceVersion"],
  ] as const) {
    const wanted = textAt(options, "preconditions", key);
    const actual = textAt(object, "metadata", key) ?? "";
    if (wanted === undefined || wanted === actual) {
      continue;
    }
    const name = nameOf(object);
    const advice =
      key === "uid"
        ? "The object might have been deleted and then recreated"
        : "The object might have been modified";
    throw new KubernetesFailure(
      409,
      "Conflict",
      `Operation cannot be fulfilled on ${kind.kind} "${name}": the ${words} in the precondition (${wanted}) does not match the ${words} in record (${actual}). ${advice}`,
      { name, kind: kind.kind },
    );
  }
}

/** Throws `Conflict` if a given resource version isn't the object's. */
export function checkVersion(kind: ResourceKind, before: JsonObject, after: JsonObject): void {
  const wanted = textAt(after, "metadata", "resourceVersion");
  if (wanted === undefined || wanted === textAt(before, "metadata", "resourceVersion")) {
    return;
  }
  const name = nameOf(before);
  throw new KubernetesFailure(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualifiedPlural(kind)} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    { name, ...groupOf(kind), kind: kind.plural },
  );
}

/** The failure for a missing object. */
export function notFound(kind: ResourceKind, name: string): KubernetesFailure {
  const message = `${qualifiedPlural(kind)} "${name}" not found`;
  const details = { name, ...groupOf(kind), kind: kind.plural };
  return new KubernetesFailure(404, "NotFound", message, details);
}

function groupOf({ group }: ResourceKind) {
  return group === "" ? {} : { group };
}

function existing({ store, kind, key }: ObjectWrite): KubernetesObject {
  const found = store.objects.find(kind, key);
  if (!found) {
    throw notFound(kind, key.name);
  }
  return found;
}

/** Fields that clients can't change. */
function kept(before: KubernetesObject): JsonObject {
  return before.status === undefined ? {} : { status: before.status };
}

/** An object before it is stored: with a name and a namespace, and without a resource version. */
function named(body: KubernetesObject, kind: ResourceKind, key: ObjectKey): KubernetesObject {
  const { name, namespace } = key;
  return {
    ...body,
    apiVersion: groupVersionOf(kind),
    kind: kind.kind,
    metadata: { ...body.metadata, name, ...(kind.namespaced ? { namespace } : {}) },
  };
}

/** A replacement with the identity of the former object. */
function inherited(
  before: KubernetesObject | undefined,
  after: KubernetesObject,
): KubernetesObject {
  if (!before) {
    return after;
  }
  const { uid, creationTimestamp, generation } = before.metadata;
  const { deletionTimestamp, deletionGracePeriodSeconds } = before.metadata;
  const identity = Object.fromEntries(
    Object.entries({
      uid,
      creationTimestamp,
      generation,
      deletionTimestamp,
      deletionGracePeriodSeconds,
    }).filter(([, value]) => value !== undefined),
  ) as JsonObject;
  return { ...after, metadata: { ...after.metadata, ...identity } };
}

function stored(
  { store, kind, key, isDryRun }: ObjectWrite,
  before: KubernetesObject | undefined,
  after: KubernetesObject,
): Written {
  store.admit(before === undefined ? "CREATE" : "UPDATE", after);
  checkObject(kind, before, after);
  const { resourceVersion: _, ...metadata } = after.metadata;
  const version = before ? { resourceVersion: before.metadata.resourceVersion ?? "" } : {};
  const next = { ...after, metadata: { ...metadata, ...version } };
  if (kind.plural === "customresourcedefinitions" && before === undefined && !isDryRun) {
    store.objects.establishLater(next);
  }
  const isEnded =
    textAt(next, "metadata", "deletionTimestamp") !== undefined &&
    kind.plural !== "pods" &&
    finalizersOf(next).length === 0;
  if (isEnded && !isDryRun) {
    store.objects.remove(kind, { ...key, name: nameOf(next) });
    return { object: next, isNew: false };
  }
  const object = isDryRun ? next : store.objects.put(kind, next);
  return { object, isNew: before === undefined };
}

function checkNamespace({ store, kind, key }: ObjectWrite): void {
  if (!kind.namespaced) {
    return;
  }
  const namespaces = builtIn("namespaces");
  const namespace = store.objects.find(namespaces, { namespace: "", name: key.namespace });
  if (!namespace) {
    throw notFound(namespaces, key.namespace);
  }
  if (isEnding(namespace)) {
    throw new KubernetesFailure(
      403,
      "Forbidden",
      `${qualifiedPlural(kind)} "${key.name}" is forbidden: unable to create new content in namespace ${key.namespace} because it is being terminated`,
      { name: key.name, ...groupOf(kind), kind: kind.plural },
    );
  }
}
