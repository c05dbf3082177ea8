import { isMapping } from "../base/mapping";
import type { KubernetesObject, ManagedFields } from "./kubernetesObject";

/** The field manager of Talos and talosctl, which this package uses too. */
export const FIELD_MANAGER = "talos";

/** Field managers with which Talos 1.12 creates objects and its talosctl updates them. */
const FORMER_MANAGERS = ["talos", "talosctl"];

/** A field that another manager has set to another value. */
export interface FieldConflict {
  /** The field in the server's form: `.spec.template.spec.containers[name="coredns"].image`. */
  readonly field: string;
  /** The manager in the server's form: `"kubectl-edit" using v1`. */
  readonly manager: string;
}

type Data = Readonly<Record<string, unknown>>;

/** A manager that takes over the fields of others. */
export interface FieldTakeover {
  /** The manager that owns the fields afterwards, as applied. */
  readonly manager: string;
  /** Managers whose applied fields it takes over, besides its own. Default: none. */
  readonly applied?: readonly string[];
  /** Managers whose updated fields it takes over. */
  readonly updated: readonly string[];
}

/** Talos' updates count as applied. */
export const TALOS_TAKEOVER: FieldTakeover = { manager: FIELD_MANAGER, updated: FORMER_MANAGERS };

/**
 * The field owners of an object after a takeover. So an apply also removes fields that the new owner no
 * longer sets. Undefined without a change.
 */
export function withTakenFields(
  fields: readonly ManagedFields[],
  { manager: owner, applied = [], updated }: FieldTakeover,
): readonly ManagedFields[] | undefined {
  const isFormer = ({ manager = "", operation, subresource }: ManagedFields) =>
    subresource === undefined &&
    (operation === "Update" ? updated.includes(manager) : applied.includes(manager));
  const former = fields.filter(isFormer);
  const [first] = former;
  if (first === undefined) {
    return undefined;
  }
  const isOwn = ({ manager, operation }: ManagedFields) =>
    manager === owner && operation === "Apply";
  const own = fields.filter((each) => isOwn(each) || isFormer(each));
  const fieldsV1 = own.reduce<Data>((union, each) => united(union, each.fieldsV1 ?? {}), {});
  const others = fields.filter((each) => !own.includes(each));
  return [...others, { ...first, manager: owner, operation: "Apply", fieldsV1 }];
}

function united(one: Data, other: Data): Data {
  const result: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    result[key] = isMapping(before) && isMapping(value) ? united(before, value) : value;
  }
  return result;
}

/**
 * An object without contested fields, so that an apply keeps the values of others. Undefined if one
 * of them can't be found in it.
 */
export function withoutFields(
  object: KubernetesObject,
  fields: readonly string[],
): KubernetesObject | undefined {
  let result: unknown = object;
  for (const field of fields) {
    result = without(result, field);
    if (result === undefined) {
      return undefined;
    }
  }
  return result as KubernetesObject;
}

/** A value without the field at a path of the server's form. Undefined if nothing is there. */
function without(value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    const [selector = ""] = /^\[[^\]]*\]/.exec(path) ?? [];
    const index = value.findIndex((item, at) => isSelected(item, at, selector));
    const rest = path.slice(selector.length);
    if (index < 0 || selector === "") {
      return undefined;
    }
    if (rest === "") {
      return value.toSpliced(index, 1);
    }
    const member = without(value[index], rest);
    return member === undefined ? undefined : value.with(index, member);
  }
  if (!isMapping(value)) {
    return undefined;
  }
  // A name may contain dots, for example a file in a ConfigMap. The longest existing name is the
  // right one.
  const [key] = Object.keys(value)
    .filter((each) => path.startsWith(`.${each}`) && /^($|[.[])/.test(path.slice(each.length + 1)))
    .sort((one, other) => other.length - one.length);
  if (key === undefined) {
    return undefined;
  }
  const rest = path.slice(key.length + 1);
  const { [key]: member, ...others } = value;
  if (rest === "") {
    return others;
  }
  const kept = without(member, rest);
  return kept === undefined ? undefined : { ...value, [key]: kept };
}

function isSelected(item: unknown, index: number, selector: string): boolean {
  const inner = selector.slice(1, -1);
  if (/^\d+$/.test(inner)) {
    return index === Number(inner);
  }
  if (inner.startsWith("=")) {
    return JSON.stringify(item) === inner.slice(1);
  }
  return (
    isMapping(item) &&
    inner.split(/,(?=\w+=)/).every((pair) => {
      const [key = "", ...text] = pair.split("=");
      return JSON.stringify(item[key] ?? defaults[key]) === text.join("=");
    })
  );
}

/** Values that the server fills in for the keys of list items before it compares them. */
const defaults: Readonly<Record<string, string>> = { protocol: "TCP" };
