import { parseSettings, SettingsError } from "../../environments/settings";
import { allPlaces, sample, typesOf } from "./settingPlaces";
import { rawSettings } from "./settingsFile";

const PASSWORD = "hunter2";
/** What nobody can use, and so is quoted. */
const VALUES = [
  `https://user:${PASSWORD}@example.com:6443/a b`,
  `user:${PASSWORD}@example.com`,
  `ftp://user:p/${PASSWORD}@example.com`,
];

describe("an address with a password, in place of any setting", () => {
  const places = allPlaces().flatMap(({ schema, settingWith }) =>
    VALUES.flatMap((value) => [
      ...(typesOf(schema).includes("string") ? [settingWith(value)] : []),
      ...(schema.additionalProperties === undefined
        ? []
        : [settingWith({ [value]: sample(schema.additionalProperties) })]),
    ]),
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
