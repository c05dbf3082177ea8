import { isDeepStrictEqual } from "node:util";
import { ConfigError, type ConfigProblem } from "../configError";
import { type ConfigDocument, isMapping, thawed, type YamlValue } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { quoteValue, valueAt } from "../secrets/quote";
import { redactDocument } from "../secrets/redact";

const kinds = ["add", "remove", "replace", "move", "copy", "test"] as const;

/** An operation of a JSON patch (RFC 6902). Paths are JSON pointers: `/machine/certSANs/-`. */
export interface JsonPatchOperation {
  readonly op: (typeof kinds)[number];
  readonly path: string;
  /** For `move` and `copy`: the source of the value. */
  readonly from?: string;
  /** For `add`, `replace` and `test`: the value. */
  readonly value?: YamlValue;
}

/** The valid operations of a JSON patch. The problems of the others go into `problems`. */
export function readJsonPatch(
  steps: readonly unknown[],
  label: string,
  problems: ConfigProblem[],
): JsonPatchOperation[] {
  return steps.filter((step, index): step is JsonPatchOperation => {
    const wrong = operationProblems(step);
    const document = `${label}, operation ${index + 1}`;
    problems.push(...wrong.map(([path, message]) => ({ document, path, message })));
    return wrong.length === 0;
  });
}

/** A key of an operation, and its problem. */
type KeyProblem = readonly [key: string, message: string];

function operationProblems(step: unknown): KeyProblem[] {
  if (typeof step !== "object" || step === null || Array.isArray(step)) {
    return [["", 'has to be a mapping with "op" and "path"']];
  }
  const { op, path, from, value } = step as Readonly<Record<string, unknown>>;
  const kind = kinds.find((known) => known === op);
  const problems: KeyProblem[] = [];
  if (kind === undefined) {
    const quoted = typeof op === "string" ? `${JSON.stringify(op)} is not allowed: it ` : "";
    problems.push(["op", `${quoted}has to be one of ${kinds.map((k) => `"${k}"`).join(", ")}`]);
  }
  const whole = kind === "replace" || kind === "test";
  problems.push(...pointerProblems("path", path, whole));
  if (kind === "move" || kind === "copy") {
    problems.push(...pointerProblems("from", from, false));
  }
  if ((kind === "add" || whole) && value === undefined) {
    problems.push(["value", "is required"]);
  }
  return problems;
}

function pointerProblems(key: string, pointer: unknown, whole: boolean): KeyProblem[] {
  const example = "a JSON pointer like /machine/network/hostname";
  if (typeof pointer !== "string") {
    return [[key, `is required: ${example}`]];
  }
  return pointer.startsWith("/") || (pointer === "" && whole)
    ? []
    : [[key, `${JSON.stringify(pointer)} has to start with "/": write ${example}`]];
}

/**
 * The document after a JSON patch; the given one is not changed. This is our own code, because
 * Talos reads the RFC more liberally than libraries do: `replace` also adds a missing key, and a
 * negative index counts from the end of a list.
 *
 * Source: github.com/evanphx/json-patch v5.9.11, which Talos v1.10 to v1.13 use.
 *
 * @throws ConfigError with the first operation that can't be applied, and why. It never quotes a
 *   secret
 */
export function applyJsonPatch(
  document: ConfigDocument,
  operations: readonly JsonPatchOperation[],
  label: string,
): ConfigDocument {
  return operations.reduce<ConfigDocument>((patched, operation, index) => {
    const where = `${label}, operation ${index + 1} (${operation.op})`;
    return apply(patched, operation, (path, message) => {
      throw new ConfigError([{ document: where, path: formatPath(path), message }]);
    });
  }, thawed(document));
}

/** Reports why an operation can't be applied, and ends the patch. */
type Fail = (path: Path, message: string) => never;

/** A key of a mapping or an index of a list, whether or not a value is there. */
interface Place {
  readonly container: YamlValue[] | ConfigDocument;
  readonly key: string;
  /** Its path. */
  readonly path: Path;
}

/** Changes the document, or returns another one if the operation replaces the whole document. */
function apply(document: ConfigDocument, operation: JsonPatchOperation, fail: Fail) {
  const { op, path, from = "", value = null } = operation;
  if (path === "") {
    return applyToWhole(document, op, value, fail);
  }
  switch (op) {
    case "add":
      add(place(document, path, fail), thawed(value), fail);
      break;
    case "remove":
      remove(place(document, path, fail), fail);
      break;
    case "replace":
      replace(place(document, path, fail), thawed(value), fail);
      break;
    case "copy": {
      const copied = thawed(get(place(document, from, fail), fail));
      add(place(document, path, fail), copied, fail);
      break;
    }
    case "move": {
      const source = place(document, from, fail);
      const moved = get(source, fail);
      remove(source, fail);
      add(place(document, path, fail), moved, fail);
      break;
    }
    case "test":
      test(document, place(document, path, fail), value, fail);
  }
  return document;
}

function applyToWhole(document: ConfigDocument, op: string, value: YamlValue, fail: Fail) {
  if (op === "test") {
    return isDeepStrictEqual(document, value) ? document : fail([], "is not what the test wants");
  }
  return isMapping(value) ? thawed(value) : fail([], "can be replaced by a mapping only");
}

function place(document: ConfigDocument, pointer: string, fail: Fail): Place {
  const [first = "", ...keys] = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  let found: Place = { container: document, key: first, path: [first] };
  for (const key of keys) {
    const container = get(found, fail);
    if (!Array.isArray(container) && !isMapping(container)) {
      return fail(found.path, "is a single value, with nothing inside");
    }
    const step = Array.isArray(container) ? indexIn(container.length, key) : undefined;
    found = { container, key, path: [...found.path, step ?? key] };
  }
  return found;
}

/** The index for a key in a list; negative keys count from the end. */
function indexIn(length: number, key: string): number | undefined {
  const index = /^[-+]?\d+$/.test(key) ? Number(key) : NaN;
  const fromStart = index < 0 ? index + length : index;
  return fromStart >= 0 && fromStart < length ? fromStart : undefined;
}

/** The index of an existing item. */
function present(list: readonly YamlValue[], { key, path }: Place, fail: Fail): number {
  return indexIn(list.length, key) ?? fail(path, `is not there: the list has ${list.length} items`);
}

function get({ container, key, path }: Place, fail: Fail): YamlValue {
  const value = Array.isArray(container)
    ? container[present(container, { container, key, path }, fail)]
    : valueAt(container, [key]);
  return value === undefined ? fail(path, NOT_THERE) : value;
}

const NOT_THERE = "is not there: check the spelling, or add it before";

function add({ container, key, path }: Place, value: YamlValue, fail: Fail): void {
  if (!Array.isArray(container)) {
    put(container, key, value);
    return;
  }
  const { length } = container;
  const index = key === "-" ? length : indexIn(length + 1, key);
  if (index === undefined) {
    fail(path, `is no place in a list of ${length} items: write an index, or "-" for its end`);
  } else {
    container.splice(index, 0, value);
  }
}

function remove(target: Place, fail: Fail): void {
  const { container, key } = target;
  if (Array.isArray(container)) {
    container.splice(present(container, target, fail), 1);
  } else {
    get(target, fail);
    Reflect.deleteProperty(container, key);
  }
}

function replace(target: Place, value: YamlValue, fail: Fail): void {
  const { container, key } = target;
  if (Array.isArray(container)) {
    container[present(container, target, fail)] = value;
  } else {
    put(container, key, value);
  }
}

/** Sets a key, also `__proto__`. */
function put(container: ConfigDocument, key: string, value: YamlValue): void {
  const options = { configurable: true, enumerable: true, writable: true };
  Object.defineProperty(container, key, { ...options, value });
}

function test(document: ConfigDocument, target: Place, wanted: YamlValue, fail: Fail): void {
  const actual = get(target, fail);
  if (isDeepStrictEqual(actual, wanted)) {
    return;
  }
  // The expected value is shown only if the configuration has no secret there, so it is no secret
  // itself.
  const redacted = valueAt(redactDocument(document), target.path);
  const shown = isDeepStrictEqual(actual, redacted)
    ? `${quoteValue(actual)}, and the test wants ${quoteValue(wanted)}`
    : "not what the test wants";
  fail(target.path, `is ${shown}`);
}
