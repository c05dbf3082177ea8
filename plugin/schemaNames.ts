import { isMapping } from "../provider/base";
import { isMarked, type Properties } from "../provider/rpc";
import {
  asInSchema,
  choiceFor,
  type MembersSchema,
  referredType,
  resourceArguments,
  type TypeSchema,
  type WrittenName,
} from "../provider/schema";

/**
 * Arguments with the names of the schema. Python's SDK gives them to the members of an argument, but not where the
 * argument may also be of another kind: `add_ons={"ebs_csi": {"extra_args": …}}` arrives with `extra_args`, because
 * `ebs_csi` may be `True` (pulumi v3.230.0, sdk/python/lib/pulumi/runtime/rpc.py).
 *
 * @param type of a resource or a component
 * @param args plain, or with the protocol's marks of secrets and outputs
 */
export function withSchemaNames(type: string, args: Properties, written: WrittenName): Properties {
  return written === asInSchema ? args : renamedMembers(args, resourceArguments(type), written);
}

function renamed(value: unknown, schema: TypeSchema | undefined, written: WrittenName): unknown {
  if (schema === undefined) {
    return value;
  }
  if (isMapping(value) && isMarked(value)) {
    return { ...value, value: renamed(value.value, schema, written) };
  }
  const { $ref = "", items, additionalProperties, oneOf } = schema;
  if (oneOf !== undefined) {
    return renamed(value, choiceFor(value, oneOf), written);
  }
  if (Array.isArray(value)) {
    return value.map((item) => renamed(item, items, written));
  }
  if (!isMapping(value)) {
    return value;
  }
  if ($ref.startsWith("#/types/")) {
    return renamedMembers(value, referredType(schema), written);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      renamed(each, additionalProperties, written),
    ]),
  );
}

function renamedMembers(
  value: Properties,
  { properties = {} }: MembersSchema,
  written: WrittenName,
): Properties {
  const known = Object.keys(properties);
  return Object.fromEntries(
    Object.entries(value).map(([given, each]) => {
      const meant = known.find((one) => written(one) === given && value[one] === undefined);
      const name = properties[given] === undefined ? (meant ?? given) : given;
      return [name, renamed(each, properties[name], written)];
    }),
  );
}
