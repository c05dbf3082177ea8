import { messageOfError, UNKNOWN } from "../../../provider/base";
import { autoname } from "./autoname";
import { exclusions } from "./exclusions";
import { Inputs } from "./inputs";
import type { Property, PropertyTable } from "./propertyTable";
import type { CheckFailure, ResourceKind } from "./resourceKind";
import { containsUnknown, isObject, isUnknown, type Value, type Values } from "./value";
import { judge } from "./valueRules";

/** The key under which the AWS provider records the names of defaulted properties. */
export const DEFAULTS_KEY = "__defaults";

const REGION: Property = { type: "string", computed: true, replaces: true };
const TAGS: Property = { type: "map" };

/** Arguments of `check` besides the inputs. */
export interface CheckContext {
  /** The last part of the URN. */
  readonly pulumiName: string;
  readonly randomSeed: Uint8Array;
  /** The name that the engine's autonaming rules propose, if any. */
  readonly proposedName?: string;
}

/** Inputs with defaults, and their problems. */
export interface CheckResult {
  readonly inputs: Values;
  readonly failures: CheckFailure[];
}

/** All input properties of the kind, with those that many kinds share. */
export function inputsOf(kind: ResourceKind): PropertyTable {
  return {
    ...kind.inputs,
    ...(kind.regional && { region: REGION }),
    ...(kind.tagging !== undefined && { tags: TAGS }),
  };
}

/**
 * Fills in defaults and the generated name, and collects all problems. A name that was generated before
 * is kept.
 */
export function checkResource(
  kind: ResourceKind,
  olds: Values,
  news: Values,
  context: CheckContext,
): CheckResult {
  const table = inputsOf(kind);
  const checked = checkProperties(table, news, `of ${kind.type}`);
  const { inputs, failures } = checked;
  const filledIn: string[] = [];
  for (const [name, property] of Object.entries(table)) {
    const given = inputs[name];
    if (given !== undefined) {
      inputs[name] = withDefaults(property, given);
    } else if (property.default !== undefined) {
      inputs[name] = property.default;
      filledIn.push(name);
    }
  }
  const name = nameProperty(kind);
  if (kind.autoname !== undefined && inputs[name] === undefined && !(`${name}Prefix` in inputs)) {
    const before = wasFilledIn(olds, name) ? olds[name] : undefined;
    try {
      inputs[name] =
        before ??
        context.proposedName ??
        autoname(context.pulumiName, context.randomSeed, kind.autoname);
      filledIn.push(name);
    } catch (error) {
      failures.push({ property: name, reason: messageOfError(error) });
    }
  }
  if (failures.length === 0 && !containsUnknown(inputs) && kind.validate !== undefined) {
    failures.push(...kind.validate(new Inputs(inputs)));
  }
  failures.push(...exclusions(table, checked.inputs));
  return { inputs: { ...inputs, [DEFAULTS_KEY]: filledIn.sort() }, failures };
}

/** The property that holds the name of a resource of the kind. */
export function nameProperty(kind: ResourceKind): string {
  return kind.autoname?.property ?? "name";
}

/** Whether a property of earlier inputs was filled in by `checkResource`. */
export function wasFilledIn(inputs: Values, name: string): boolean {
  const filledIn = inputs[DEFAULTS_KEY];
  return Array.isArray(filledIn) && filledIn.includes(name);
}

/** Checks names, types and presence of the properties of a resource or of a function's arguments. */
export function checkProperties(table: PropertyTable, news: Values, owner: string): CheckResult {
  const failures: CheckFailure[] = [];
  const inputs: Values = {};
  for (const [name, value] of Object.entries(news)) {
    if (name === DEFAULTS_KEY || value === null) {
      continue;
    }
    const property = table[name];
    if (property === undefined) {
      failures.push({ property: name, reason: unknownProperty(name, table, owner) });
      continue;
    }
    const text = asText(property, value);
    failures.push(...checkValue(property, text, name, owner));
    inputs[name] = text;
  }
  failures.push(...missing(table, inputs, ""));
  return { inputs, failures };
}

/** The value of a block with the defaults of its fields, which it has only where there is a block. */
function withDefaults(property: Property, value: Value): Value {
  const { fields } = property;
  if (fields === undefined) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => withDefaults(property, item));
  }
  if (!isObject(value)) {
    return value;
  }
  const filled: Values = { ...value };
  for (const [name, field] of Object.entries(fields)) {
    const given = filled[name] ?? field.default;
    if (given !== undefined) {
      filled[name] = withDefaults(field, given);
    }
  }
  return filled;
}

/** A JSON document may be given as an object, too. */
function asText(property: Property, value: Value): Value {
  if (property.json !== true || !isObject(value)) {
    return value;
  }
  return containsUnknown(value) ? UNKNOWN : JSON.stringify(value);
}

function checkValue(property: Property, value: Value, path: string, owner: string): CheckFailure[] {
  if (isUnknown(value)) {
    return [];
  }
  const wrong = (expected: string): CheckFailure[] => [
    { property: path, reason: `"${path}" ${owner} must be ${expected}` },
  ];
  switch (property.type) {
    case "string":
      return typeof value === "string" ? judged(property, value, path) : wrong("a string");
    case "number":
      return typeof value === "number" ? judged(property, value, path) : wrong("a number");
    case "boolean":
      return typeof value === "boolean" ? [] : wrong("a boolean");
    case "strings":
      return Array.isArray(value) && value.every((item) => typeof item === "string")
        ? value.flatMap((item) => (isUnknown(item) ? [] : judged(property, item, path)))
        : wrong("a list of strings");
    case "map":
      return isObject(value) && Object.values(value).every((item) => typeof item === "string")
        ? []
        : wrong("a map of strings");
    case "block":
      return isObject(value) ? checkBlock(property, value, path, owner) : wrong("an object");
    case "blocks":
      if (!Array.isArray(value)) {
        return wrong("a list of objects");
      }
      return value.flatMap((item, index) =>
        checkValue({ ...property, type: "block" }, item, `${path}[${index}]`, owner),
      );
  }
}

function judged({ rule }: Property, value: string | number, path: string): CheckFailure[] {
  const reason = rule && judge(rule, value, path);
  return reason === undefined ? [] : [{ property: path, reason }];
}

function checkBlock(
  property: Property,
  block: Values,
  path: string,
  owner: string,
): CheckFailure[] {
  const fields = property.fields ?? {};
  const present = Object.entries(block).filter(([, value]) => value !== null);
  return [
    ...present.flatMap(([name, value]) => {
      const field = fields[name];
      return field === undefined
        ? [
            {
              property: `${path}.${name}`,
              reason: unknownProperty(`${path}.${name}`, fields, owner),
            },
          ]
        : checkValue(field, value, `${path}.${name}`, owner);
    }),
    ...missing(fields, Object.fromEntries(present), `${path}.`),
  ];
}

function missing(table: PropertyTable, inputs: Values, prefix: string): CheckFailure[] {
  return Object.entries(table)
    .filter(([name, property]) => property.required === true && inputs[name] === undefined)
    .map(([name]) => ({
      property: `${prefix}${name}`,
      reason: `"${prefix}${name}" is required and missing`,
    }));
}

function unknownProperty(name: string, table: PropertyTable, owner: string): string {
  return (
    `the substitute for the AWS plugin does not know the property "${name}" ${owner}; it knows ` +
    Object.keys(table).sort().join(", ")
  );
}
