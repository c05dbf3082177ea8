import type { ErrorObject } from "ajv";
import type { PropertyProblem } from "../components/problems";
import { suggest } from "../provider/config/suggestion";
import type { SettingSchema } from "./settingSchema";
import { settingsSchema } from "./settingsSchema";

/**
 * The problem of settings with a wrong shape, from an error of the schema's validator (`verbose`).
 */
export function shapeProblem(error: ErrorObject, given: unknown): PropertyProblem {
  const path = pathOf(error.instancePath, given);
  const schema = error.parentSchema as SettingSchema;
  const params = error.params as { missingProperty?: string; additionalProperty?: string };
  if (params.missingProperty !== undefined) {
    const expected = schema.properties?.[params.missingProperty]?.title ?? "given";
    const property = join(path, params.missingProperty);
    return { property, reason: `it is missing: it must be ${expected}` };
  }
  if (params.additionalProperty !== undefined) {
    const known = Object.keys(schema.properties ?? {});
    const near =
      suggest(params.additionalProperty, known) ?? findElsewhere(params.additionalProperty);
    const advice = near === undefined ? `known are ${known.join(", ")}` : `did you mean "${near}"?`;
    const property = join(path, params.additionalProperty);
    return { property, reason: `there is no such setting: ${advice}` };
  }
  // Values in patches may be secret.
  const value = path.includes("patches") ? "something else" : JSON.stringify(error.data);
  return { property: path, reason: `it must be ${schema.title}, not ${value}` };
}

/** `/network/zones/1` as `network.zones[1]`, `/machines/2` of an object as `machines["2"]`. */
function pathOf(pointer: string, given: unknown): string {
  let path = "";
  let value: unknown = given;
  for (const segment of pointer.split("/").slice(1)) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    path = Array.isArray(value) ? `${path}[${key}]` : join(path, key);
    value = (value as Record<string, unknown>)[key];
  }
  return path;
}

function join(path: string, key: string): string {
  if (!/^[a-zA-Z]\w*$/.test(key)) {
    return `${path}["${key}"]`;
  }
  return path === "" ? key : `${path}.${key}`;
}

/**
 * The only other place with a setting of exactly that name; undefined if there are none or several.
 */
function findElsewhere(name: string): string | undefined {
  const found = pathsTo(name, settingsSchema, "");
  return found.length === 1 ? found[0] : undefined;
}

function pathsTo(name: string, { properties = {} }: SettingSchema, path: string): string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const here = join(path, key);
    return key === name ? [here] : pathsTo(name, schema, here);
  });
}
