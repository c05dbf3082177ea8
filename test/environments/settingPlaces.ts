import { settingsSchema } from "../../environments/settingsSchema";
import { referredType, type TypeSchema } from "../../provider/schema/packageSchema";

/** A place in the settings of an environment, at any depth. */
export interface Place {
  /** As errors name it: `workerPools.a.zones[0]`. */
  readonly path: string;
  readonly schema: TypeSchema;
  /** The whole setting, with a value at this place, and whatever must be beside it. */
  readonly settingWith: (value: unknown) => Readonly<Record<string, unknown>>;
}

/** All places of all settings: the paths of the schema, with `a` for names that people choose. */
export function allPlaces(): Place[] {
  return Object.entries(settingsSchema().properties ?? {}).flatMap(([name, schema]) =>
    placesIn({ path: name, schema, settingWith: (value) => ({ [name]: value }) }),
  );
}

function placesIn(place: Place): Place[] {
  return [place, ...insideOf(place)];
}

function insideOf({ path, schema, settingWith }: Place): Place[] {
  const { items, additionalProperties, oneOf = [] } = schema;
  const { properties = {}, required = [] } = referredType(schema);
  const others = Object.fromEntries(required.map((name) => [name, sample(properties[name])]));
  return [
    ...oneOf.flatMap((choice) => insideOf({ path, schema: choice, settingWith })),
    ...(items === undefined
      ? []
      : placesIn({
          path: `${path}[0]`,
          schema: items,
          settingWith: (value) => settingWith([value]),
        })),
    ...Object.entries(properties).flatMap(([name, member]) =>
      placesIn({
        path: `${path}.${name}`,
        schema: member,
        settingWith: (value) => settingWith({ ...others, [name]: value }),
      }),
    ),
    ...(additionalProperties === undefined
      ? []
      : placesIn({
          path: `${path}.a`,
          schema: additionalProperties,
          settingWith: (value) => settingWith({ a: value }),
        })),
  ];
}

/** The names of the kinds of values that a schema allows; none if it allows any. */
export function typesOf({ type, oneOf = [] }: TypeSchema): readonly string[] {
  return [type, ...oneOf.map((choice) => choice.type)].filter((each) => each !== undefined);
}

/** A value of a schema's shape. */
export function sample(schema: TypeSchema = {}): unknown {
  const [choice = schema] = schema.oneOf ?? [];
  const { enum: words = [], properties = {}, required = [] } = referredType(choice);
  const needed = Object.fromEntries(required.map((name) => [name, sample(properties[name])]));
  const values = { boolean: true, integer: 1, number: 1, array: [], object: needed };
  return choice.type === undefined || choice.type === "string"
    ? (words[0]?.value ?? "a")
    : values[choice.type];
}
