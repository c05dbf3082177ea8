import type { SettingSchema } from "../../environments/settingSchema";
import { parseSettings, SettingsError } from "../../environments/settings";
import { settingsSchema } from "../../environments/settingsSchema";
import { rawSettings } from "./settingsFile";

const PASSWORD = "hunter2";
/** What nobody can use, and so is quoted. */
const VALUES = [
  `https://user:${PASSWORD}@example.com:6443/a b`,
  `user:${PASSWORD}@example.com`,
  `ftp://user:p/${PASSWORD}@example.com`,
];

/** Each place of a schema that takes a text, as the value of the setting that leads there, and keys. */
function plantings(schema: SettingSchema, value: string): unknown[] {
  const types = [schema.type].flat();
  const { properties = {}, additionalProperties, items, required = [] } = schema;
  const others = Object.fromEntries(
    required.map((name) => [name, sample(properties[name])] as const),
  );
  return [
    ...(types.includes("string") ? [value] : []),
    ...(items === undefined ? [] : plantings(items, value).map((item) => [item])),
    ...Object.entries(properties).flatMap(([name, child]) =>
      plantings(child, value).map((planted) => ({ ...others, [name]: planted })),
    ),
    ...(typeof additionalProperties === "object"
      ? [
          { [value]: sample(additionalProperties) },
          ...plantings(additionalProperties, value).map((planted) => ({ a: planted })),
        ]
      : []),
  ];
}

/** Any value of a setting's type. */
function sample(schema: SettingSchema | undefined): unknown {
  const [type] = [schema?.type ?? "string"].flat();
  const values = { boolean: true, integer: 1, array: [], object: {} } as const;
  return Object.entries(values).find(([name]) => name === type)?.[1] ?? "a";
}

describe("an address with a password, in place of any setting", () => {
  const places = Object.entries(settingsSchema.properties ?? {}).flatMap(([name, schema]) =>
    VALUES.flatMap((value) => plantings(schema, value).map((planted) => ({ [name]: planted }))),
  );

  it("is refused without the password, or taken", () => {
    expect(places.length).toBeGreaterThan(600);
    let refused = 0;
    for (const change of places) {
      try {
        parseSettings(rawSettings("sandbox", change));
      } catch (error) {
        refused += 1;
        // Anything else is a fault of this package.
        expect([change, error]).toEqual([change, expect.any(SettingsError)]);
        const { message, problems } = error as SettingsError;
        expect(JSON.stringify([message, problems])).not.toContain(PASSWORD);
      }
    }
    expect(refused).toBeGreaterThan(400);
  });
});
