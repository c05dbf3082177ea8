import { isMapping } from "../../../provider/config";
import type { Json, JsonObject } from "./kubernetesObject";
import { patchKeyOf } from "./listKeys";
import { KubernetesFailure } from "./statusObject";

/** Applies a JSON merge patch (RFC 7396) to a value. */
export function mergePatch(before: Json | undefined, patch: Json): Json {
  if (!isMapping(patch)) {
    return patch;
  }
  const result: JsonObject = isMapping(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      Reflect.deleteProperty(result, key);
    } else {
      result[key] = mergePatch(result[key], value);
    }
  }
  return result;
}

/** Fields of a patch that control the merge and are not part of the object. */
const DIRECTIVE = /^\$(patch|retainKeys|setElementOrder\/.*|deleteFromPrimitiveList\/.*)$/;

/**
 * Applies a strategic merge patch to a value: lists with keys are merged item by item. The order of
 * lists in the patch isn't kept.
 */
export function strategicPatch(before: Json | undefined, patch: Json): Json {
  if (!isMapping(patch)) {
    return patch;
  }
  if (patch.$patch === "replace") {
    return withoutDirectives(patch);
  }
  const result: JsonObject = isMapping(before) ? { ...before } : {};
  const retained = patch.$retainKeys;
  for (const key of Array.isArray(retained) ? Object.keys(result) : []) {
    if (Array.isArray(retained) && !retained.includes(key)) {
      Reflect.deleteProperty(result, key);
    }
  }
  for (const [key, value] of Object.entries(patch)) {
    const primitives = /^\$deleteFromPrimitiveList\/(.*)$/.exec(key)?.[1];
    if (primitives !== undefined) {
      const kept = listOf(result[primitives]).filter((item) => !listOf(value).includes(item));
      result[primitives] = [...kept];
    }
    if (DIRECTIVE.test(key)) {
      continue;
    }
    if (value === null) {
      Reflect.deleteProperty(result, key);
    } else if (Array.isArray(value)) {
      result[key] = mergedList(key, listOf(result[key]), value);
    } else if (isMapping(value) && value.$patch === "delete") {
      Reflect.deleteProperty(result, key);
    } else {
      result[key] = strategicPatch(result[key], value);
    }
  }
  return result;
}

function mergedList(field: string, before: readonly Json[], patch: readonly Json[]): Json[] {
  const key = patchKeyOf(field, [...before, ...patch]);
  if (field === "finalizers") {
    return [...new Set([...before, ...patch])];
  }
  if (key === undefined || patch.some((item) => isMapping(item) && item.$patch === "replace")) {
    return patch.filter((item) => !isMapping(item) || item.$patch !== "replace");
  }
  const result = [...before];
  for (const item of patch.filter(isMapping)) {
    const index = result.findIndex((known) => isMapping(known) && known[key] === item[key]);
    if (item.$patch === "delete") {
      result.splice(index, index < 0 ? 0 : 1);
    } else if (index < 0) {
      result.push(strategicPatch(undefined, item));
    } else {
      result[index] = strategicPatch(result[index], item);
    }
  }
  return result;
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !DIRECTIVE.test(key)));
}

/** Applies a JSON patch (RFC 6902) to an object. Throws `Invalid` if it can't be applied. */
export function jsonPatch(before: JsonObject, patch: readonly Json[]): Json {
  const root: JsonObject = structuredClone(before);
  for (const step of patch) {
    if (!isMapping(step) || typeof step.path !== "string") {
      throw misfit("bad operation");
    }
    const path = step.path.split("/").slice(1).map(unescaped);
    const last = path.at(-1) ?? "";
    const parent = path.slice(0, -1).reduce<Json | undefined>(memberOf, root);
    const there = memberOf(parent, last);
    switch (step.op) {
      case "test":
        if (JSON.stringify(there) !== JSON.stringify(step.value)) {
          throw misfit(`testing path ${step.path} failed`);
        }
        break;
      case "add":
      case "replace":
        if (step.op === "replace" && there === undefined) {
          throw missing(step.op, step.path);
        }
        if (Array.isArray(parent)) {
          const index = last === "-" ? parent.length : Number(last);
          parent.splice(index, step.op === "add" ? 0 : 1, step.value ?? null);
        } else if (isMapping(parent)) {
          parent[last] = step.value ?? null;
        } else {
          throw missing(step.op, step.path);
        }
        break;
      case "remove":
        if (there === undefined) {
          throw missing(step.op, step.path);
        }
        if (Array.isArray(parent)) {
          parent.splice(Number(last), 1);
        } else if (isMapping(parent)) {
          Reflect.deleteProperty(parent, last);
        }
        break;
      default:
        throw misfit(`unexpected operation ${JSON.stringify(step.op ?? null)}`);
    }
  }
  return root;
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) {
    return value[Number(key)];
  }
  return isMapping(value) ? value[key] : undefined;
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function misfit(message: string): KubernetesFailure {
  return new KubernetesFailure(422, "Invalid", `the server rejected our request: ${message}`);
}

function missing(operation: string, path: string): KubernetesFailure {
  return misfit(`${operation} operation does not apply: doc is missing path: ${path}`);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
