import { UNKNOWN } from "../../../provider/base";
import { DEFAULTS_KEY, inputsOf } from "./check";
import { meansTheSame, type Property } from "./propertyTable";
import type { ResourceKind } from "./resourceKind";
import { isObject, type Value, type Values } from "./value";

/**
 * The outputs of a resource: its live properties, and inputs that AWS doesn't return. A live value that
 * means the same as the input takes the input's form.
 */
export function outputsOf(kind: ResourceKind, inputs: Values, live: Values): Values {
  const table = inputsOf(kind);
  const outputs: Values = {};
  for (const name of new Set([...Object.keys(inputs), ...Object.keys(live)])) {
    const given = inputs[name];
    const told = live[name];
    if (name === DEFAULTS_KEY || name === "id") {
      continue;
    }
    const property = table[name];
    const value =
      told === undefined || told === null
        ? given
        : keepsGivenForm(property) && given !== undefined && sameAsGiven(property, given, told)
          ? given
          : withoutNulls(told);
    if (value !== undefined && value !== null) {
      outputs[name] = value;
    }
  }
  return outputs;
}

/** AWS returns more fields of a block than the input has. All of them are output. */
function keepsGivenForm(property: Property | undefined): property is Property {
  return property !== undefined && property.fields === undefined;
}

/**
 * The inputs that describe the live resource: those of the last update, with drift. For an imported
 * resource, which has no inputs yet, every input property that AWS returns.
 */
export function inputsFromLive(
  kind: ResourceKind,
  inputs: Values,
  live: Values,
  defaultTags: Readonly<Record<string, string>>,
): Values {
  const table = inputsOf(kind);
  const imported = Object.keys(inputs).length === 0;
  const result: Values = { [DEFAULTS_KEY]: inputs[DEFAULTS_KEY] ?? [] };
  for (const [name, property] of Object.entries(table)) {
    const given = inputs[name];
    const told =
      name === "tags" && kind.tagging !== undefined
        ? ownTags(live, inputs, defaultTags)
        : live[name];
    if (given !== undefined && told !== undefined && told !== null) {
      result[name] = sameAsGiven(property, given, told) ? given : narrowed(property, given, told);
    } else if (given !== undefined) {
      result[name] = given;
    } else if (
      told !== undefined &&
      (imported || (name === "tags" && kind.tagging !== undefined)) &&
      !isEmpty(told)
    ) {
      result[name] = withoutNulls(told);
    }
  }
  return result;
}

/** Outputs in a preview: the inputs, and unknown values for what AWS will choose. */
export function previewCreate(
  kind: ResourceKind,
  inputs: Values,
  known: Readonly<Record<string, Value>>,
): Values {
  const computed = Object.entries(inputsOf(kind))
    .filter(([, property]) => property.computed === true)
    .map(([name]) => name);
  const outputs: Values = {};
  for (const name of [...kind.outputs, ...computed]) {
    outputs[name] = known[name] ?? UNKNOWN;
  }
  return { ...outputs, ...withoutDefaultsKey(inputs) };
}

/** Outputs in the preview of an update: the former ones, with changed inputs. */
export function previewUpdate(
  kind: ResourceKind,
  before: { readonly inputs: Values; readonly state: Values },
  news: Values,
  known: Readonly<Record<string, Value>>,
): Values {
  const table = inputsOf(kind);
  const kept = Object.entries(before.state).filter(
    ([name]) =>
      table[name] === undefined ||
      table[name].computed === true ||
      before.inputs[name] === undefined ||
      news[name] !== undefined,
  );
  return { ...Object.fromEntries(kept), ...known, ...withoutDefaultsKey(news) };
}

function withoutDefaultsKey(inputs: Values): Values {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== DEFAULTS_KEY));
}

/** Whether the live value equals the input. Of a block, only fields in the input count. */
function sameAsGiven(property: Property, given: Value, told: Value): boolean {
  return meansTheSame(property, given, narrowed(property, given, told));
}

/** The live value, reduced to the fields of the input. */
function narrowed(property: Property, given: Value, told: Value): Value {
  const { fields } = property;
  if (fields === undefined) {
    return told;
  }
  if (isObject(given) && isObject(told)) {
    return Object.fromEntries(
      Object.entries(given).map(([name, inner]) => {
        const field = fields[name];
        const live = told[name];
        if (live === undefined || live === null) {
          return [name, inner];
        }
        return [name, field === undefined ? live : narrowed(field, inner, live)];
      }),
    );
  }
  if (property.key !== undefined && Array.isArray(given) && Array.isArray(told)) {
    return narrowedItems(property, property.key, given, told);
  }
  if (Array.isArray(given) && Array.isArray(told) && given.length === told.length) {
    return told.map((item, index) =>
      narrowed({ type: "block", fields }, given[index] ?? item, item),
    );
  }
  return told;
}

/** Items of the input in their order, then further items that AWS returns. */
function narrowedItems(
  { fields = {} }: Property,
  key: string,
  given: readonly Value[],
  told: readonly Value[],
): Value[] {
  const keyOf = (item: Value | undefined) => (isObject(item) ? item[key] : undefined);
  const known = given.flatMap((item) => {
    const live = told.find((other) => keyOf(other) === keyOf(item));
    return live === undefined ? [] : [narrowed({ type: "block", fields }, item, live)];
  });
  const others = told.filter((item) => !given.some((other) => keyOf(other) === keyOf(item)));
  return [...known, ...others.map(withoutNulls)];
}

function ownTags(
  live: Values,
  inputs: Values,
  defaultTags: Readonly<Record<string, string>>,
): Value | undefined {
  const all = live.tagsAll;
  if (!isObject(all)) {
    return undefined;
  }
  const given = isObject(inputs.tags) ? inputs.tags : {};
  const own = Object.entries(all).filter(
    ([key, value]) => key in given || defaultTags[key] !== value,
  );
  return own.length === 0 && inputs.tags === undefined ? undefined : Object.fromEntries(own);
}

function withoutNulls(value: Value): Value {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== null)
          .map(([name, inner]) => [name, withoutNulls(inner)]),
      )
    : value;
}

function isEmpty(value: Value): boolean {
  if (Array.isArray(value)) {
    return value.length === 0;
  }
  return isObject(value) ? Object.keys(value).length === 0 : value === "" || value === null;
}
