import { isDeepStrictEqual } from "node:util";
import { isMapping } from "../../../provider/config";
import { textAt } from "../config/yamlPath";
import {
  fieldsOf,
  fromFieldsV1,
  merged,
  openMapsOf,
  printed,
  textOf,
  toFieldsV1,
  without,
  type FieldPath,
  type FieldSet,
  type FieldValue,
} from "./fieldSet";
import {
  listAt,
  objectAt,
  type Json,
  type JsonObject,
  type KubernetesObject,
} from "./kubernetesObject";
import { seconds } from "./nodeObject";
import { KubernetesFailure } from "./statusObject";

/** The manager of a write. */
export interface FieldManager {
  readonly name: string;
  readonly apiVersion: string;
  readonly now: Date;
}

/** The fields of an object that one manager has set, as in `metadata.managedFields`. */
interface Ownership {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly time: string;
  readonly fields: FieldSet;
}

/**
 * The object after a server-side apply. The applied fields are merged. Fields that the manager no
 * longer applies are removed, unless another manager owns them. Throws `Conflict` if another
 * manager owns a field with another value, unless the apply is forced.
 *
 * Source: kubernetes v1.35, `structured-merge-diff/merge/update.go`; answers of a real server are
 * in `test/emulator/talos/kubernetes/managedFields.test.ts`.
 */
export function applied(
  before: KubernetesObject | undefined,
  configuration: KubernetesObject,
  manager: FieldManager,
  force: boolean,
): KubernetesObject {
  const wanted = fieldsOf(configuration);
  const owners = ownersOf(before);
  const isOwn = ({ manager: name, operation }: Ownership) =>
    name === manager.name && operation === "Apply";
  const others = owners.filter((owner) => !isOwn(owner));
  const contested = conflictsOf(before, wanted, others);
  if (contested.length > 0 && !force) {
    throw conflict(contested);
  }
  const lost = new Set(contested.map(({ path }) => textOf(path)));
  const kept = others.map((owner) => ({ ...owner, fields: minus(owner.fields, lost) }));
  const own = owners.find(isOwn);
  const dropped = [...(own?.fields ?? [])].filter(
    ([text, path]) =>
      !wanted.has(text) && !isOwnedBelow(path, [...kept.map((o) => o.fields), wanted]),
  );
  const base = dropped.reduce<JsonObject>(
    (object, [, path]) => without(object, path),
    before ?? {},
  );
  const result = merged(base, configuration) as KubernetesObject;
  const fields = new Map([...wanted].map(([text, { path }]) => [text, path]));
  const mine: Ownership = {
    manager: manager.name,
    operation: "Apply",
    apiVersion: manager.apiVersion,
    fields,
    time:
      own && isDeepStrictEqual([...own.fields.keys()].sort(), [...fields.keys()].sort())
        ? own.time
        : seconds(manager.now),
  };
  return withOwners(result, own ? kept.concat(mine).sort(byAge(owners)) : [...kept, mine]);
}

/** The object after an update. The changed fields belong to its manager. */
export function updated(
  before: KubernetesObject | undefined,
  after: KubernetesObject,
  manager: FieldManager,
): KubernetesObject {
  const given = after.metadata.managedFields;
  // A client may also write the owners, but only all at once.
  if (before && given !== undefined && !isDeepStrictEqual(given, before.metadata.managedFields)) {
    return after;
  }
  const [old, now] = [before ? fieldsOf(before) : new Map<string, FieldValue>(), fieldsOf(after)];
  const changed = new Map<string, FieldPath>();
  for (const [text, { path, value }] of now) {
    if (!old.has(text) || !isDeepStrictEqual(old.get(text)?.value, value)) {
      changed.set(text, path);
    }
  }
  if (!before) {
    for (const path of openMapsOf(after)) {
      changed.set(textOf(path), path);
    }
  }
  const gone = new Set([...old.keys()].filter((text) => !now.has(text)));
  if (changed.size === 0 && gone.size === 0) {
    return withOwners(after, ownersOf(before));
  }
  const owners = ownersOf(before).map((owner) => ({
    ...owner,
    fields: minus(owner.fields, new Set([...changed.keys(), ...gone])),
  }));
  const isOwn = ({ manager: name, operation }: Ownership) =>
    name === manager.name && operation === "Update";
  const own = owners.find(isOwn);
  const mine: Ownership = {
    manager: manager.name,
    operation: "Update",
    apiVersion: manager.apiVersion,
    time: changed.size > 0 ? seconds(manager.now) : (own?.time ?? seconds(manager.now)),
    fields: new Map([...(own?.fields ?? []), ...changed]),
  };
  return withOwners(after, [...owners.filter((owner) => !isOwn(owner)), mine]);
}

interface Contest {
  readonly path: FieldPath;
  readonly owner: Ownership;
}

function conflictsOf(
  before: KubernetesObject | undefined,
  wanted: ReadonlyMap<string, FieldValue>,
  others: readonly Ownership[],
): Contest[] {
  const live = before ? fieldsOf(before) : new Map<string, FieldValue>();
  return others.flatMap((owner) =>
    [...wanted].flatMap(([text, { path, value }]) =>
      owner.fields.has(text) &&
      live.has(text) &&
      !isDeepStrictEqual(live.get(text)?.value, value) &&
      value !== undefined
        ? [{ path, owner }]
        : [],
    ),
  );
}

function conflict(contests: readonly Contest[]): KubernetesFailure {
  const nameOf = ({ manager, operation, apiVersion }: Ownership) =>
    `${JSON.stringify(manager)}${operation === "Apply" ? "" : ` using ${apiVersion}`}`;
  const causes = contests.map(({ path, owner }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${nameOf(owner)}`,
    field: printed(path),
  }));
  const [first] = contests;
  const single =
    contests.length === 1 && first
      ? `1 conflict: conflict with ${nameOf(first.owner)}: ${printed(first.path)}`
      : undefined;
  const names = [...new Set(contests.map(({ owner }) => nameOf(owner)))].sort();
  const lines = names.flatMap((name) => [
    `conflicts with ${name}:`,
    ...contests
      .filter(({ owner }) => nameOf(owner) === name)
      .map(({ path }) => `- ${printed(path)}`),
  ]);
  const message = `Apply failed with ${single ?? `${contests.length} conflicts: ${lines.join("\n")}`}`;
  return new KubernetesFailure(409, "Conflict", message, { causes });
}

/** Whether any of the sets has the field or one below it. */
function isOwnedBelow(
  path: FieldPath,
  sets: readonly { readonly keys: () => Iterable<string>; has: (text: string) => boolean }[],
): boolean {
  const text = textOf(path);
  const below = path.at(-1) === "." ? textOf(path.slice(0, -1)) : text;
  return sets.some(
    (set) => set.has(text) || [...set.keys()].some((each) => each.startsWith(`${below}\u0000`)),
  );
}

function minus(set: FieldSet, texts: ReadonlySet<string>): FieldSet {
  return new Map([...set].filter(([text]) => !texts.has(text)));
}

/** The owners of an object's fields. */
function ownersOf(object: KubernetesObject | undefined): Ownership[] {
  return listAt(object, "metadata", "managedFields").map((entry) => ({
    manager: textAt(entry, "manager") ?? "",
    operation: textAt(entry, "operation") === "Apply" ? "Apply" : "Update",
    apiVersion: textAt(entry, "apiVersion") ?? "",
    time: textAt(entry, "time") ?? "",
    fields: fromFieldsV1(objectAt(entry, "fieldsV1")),
  }));
}

function byAge(before: readonly Ownership[]) {
  const indexOf = ({ manager, operation }: Ownership) =>
    before.findIndex((owner) => owner.manager === manager && owner.operation === operation);
  return (one: Ownership, other: Ownership) => indexOf(one) - indexOf(other);
}

function withOwners(object: KubernetesObject, owners: readonly Ownership[]): KubernetesObject {
  const managedFields = owners
    .filter(({ fields }) => fields.size > 0)
    .map(({ fields, ...owner }): Json => ({
      ...owner,
      fieldsType: "FieldsV1",
      fieldsV1: toFieldsV1(fields),
    }));
  const { managedFields: _, ...metadata } = isMapping(object.metadata) ? object.metadata : {};
  return {
    ...object,
    metadata: managedFields.length > 0 ? { ...metadata, managedFields } : metadata,
  };
}
