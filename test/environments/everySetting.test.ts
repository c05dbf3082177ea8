import { parseSettings, SettingsError } from "../../environments/settings";
import { CLUSTER } from "../../environments/settingsSchema";
import { checkArguments } from "../../plugin/checkArguments";
import { resourceSchema } from "../../provider/schema/packageSchema";
import { allPlaces, type Place, sample, typesOf } from "./settingPlaces";
import { rawSettings } from "./settingsFile";

const places = allPlaces();

/** A value of a kind that a place doesn't take; undefined for a place that takes any. */
function wrongFor({ schema }: Place): unknown {
  const types = typesOf(schema);
  const values = { array: [], object: {}, boolean: true };
  return types.length === 0
    ? undefined
    : Object.entries(values).find(([type]) => !types.includes(type))?.[1];
}

/** Pulumi stores settings as texts, so those can't be anything else. */
const isStoredAsText = ({ path, schema }: Place) => /^\w+$/.test(path) && schema.type === "string";

/** What is wrong with the shape of settings, by path. */
function misshapen(settings: Readonly<Record<string, unknown>>): string[] {
  try {
    parseSettings(rawSettings("sandbox", settings));
    return [];
  } catch (error) {
    // Anything else is a fault of this package.
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).problems
      .filter(({ reason }) => /^(it must be|there is no such setting)/.test(reason))
      .map(({ property }) => property);
  }
}

describe("the argument tree of a cluster, from its schema", () => {
  it("has all settings, and those of the environment", () => {
    const { inputProperties } = resourceSchema(CLUSTER);
    const names = new Set(places.map(({ path }) => path.split(/[.[]/)[0]));
    expect([...names].sort()).toEqual(
      [...Object.keys(inputProperties), "kubeconfigs", "plugin", "preset"].sort(),
    );
    expect(places.length).toBeGreaterThan(950);
  });

  it("is what settings in a file can have, at each place", () => {
    const refused = places.filter(({ settingWith, schema, path }) =>
      misshapen(settingWith(sample(schema))).includes(path),
    );
    expect(refused).toEqual([]);
  });

  it("is what settings are held to, at each place", () => {
    const judged = places.filter(
      (place) => wrongFor(place) !== undefined && !isStoredAsText(place),
    );
    expect(judged.length).toBeGreaterThan(900);
    const wrong = judged.flatMap((place) => {
      const found = misshapen(place.settingWith(wrongFor(place)));
      return found.join() === place.path ? [] : [[place.path, found]];
    });
    expect(wrong).toEqual([]);
  });

  it("is what the plugin's component is held to, at each place", () => {
    const { inputProperties, requiredInputs = [] } = resourceSchema(CLUSTER);
    const needed = Object.fromEntries(
      requiredInputs.map((name) => [name, sample(inputProperties[name])]),
    );
    const ofCluster = places.filter(({ path }) => (path.split(/[.[]/)[0] ?? "") in inputProperties);
    const found = (place: Place, value: unknown) =>
      checkArguments(CLUSTER, { ...needed, ...place.settingWith(value) }).map(
        ({ property }) => property,
      );
    for (const place of ofCluster) {
      expect([place.path, found(place, sample(place.schema))]).toEqual([place.path, []]);
      const isText = typesOf(place.schema).includes("string") && place.path.endsWith(".a");
      const wrong = isText ? {} : wrongFor(place);
      const refused = wrong === undefined ? [] : [place.path];
      expect([place.path, found(place, wrong)]).toEqual([place.path, refused]);
    }
  });
});
