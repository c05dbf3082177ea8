import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HandlerName } from "../../provider/engine/dynamicStub";
import { serve } from "../../provider/serve";
import { machineConfigurationInputs } from "./resources/samples";

const PASSWORD = "hunter2";
const VALUES = [
  `https://user:${PASSWORD}@example.com:6443/a b`,
  `user:${PASSWORD}@example.com`,
  `ftp://user:p/${PASSWORD}@example.com`,
];

interface PropertySchema {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: PropertySchema;
  readonly additionalProperties?: PropertySchema;
  readonly oneOf?: readonly PropertySchema[];
}
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>;
}

const schema = JSON.parse(readFileSync(join(__dirname, "../../plugin/schema.json"), "utf8")) as {
  readonly types: Readonly<Record<string, ObjectSchema>>;
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly isComponent?: boolean;
        readonly inputProperties: Readonly<Record<string, PropertySchema>>;
      }
    >
  >;
};

/** Each value of a property's type with the text at one place of it. */
function plantings(property: PropertySchema, value: string, depth = 0): unknown[] {
  if (depth > 5) {
    return [];
  }
  const { type, $ref, items, additionalProperties, oneOf = [] } = property;
  const named = $ref === undefined ? undefined : schema.types[$ref.replace("#/types/", "")];
  return [
    ...(type === "string" || $ref === "pulumi.json#/Any" ? [value] : []),
    ...(items === undefined ? [] : plantings(items, value, depth + 1).map((item) => [item])),
    ...(additionalProperties === undefined
      ? []
      : [
          ...plantings(additionalProperties, value, depth + 1).map((planted) => ({ a: planted })),
          { [value]: "a" },
        ]),
    ...Object.entries(named?.properties ?? {}).flatMap(([name, child]) =>
      plantings(child, value, depth + 1).map((planted) => ({ [name]: planted })),
    ),
    ...oneOf.flatMap((each) => plantings(each, value, depth + 1)),
  ];
}

const kinds = Object.entries(schema.resources)
  .filter(([, { isComponent }]) => isComponent !== true)
  .map(([token]) => token.replace("talos-aws:index:", "") as HandlerName);

describe("an address with a password, in place of any input", () => {
  it.each(kinds)("of %s is refused without the password, or taken", async (kind) => {
    const { inputProperties } = schema.resources[`talos-aws:index:${kind}`] ?? {
      inputProperties: {},
    };
    const usual = kind === "MachineConfiguration" ? await machineConfigurationInputs() : {};
    let refused = 0;
    let places = 0;
    for (const [name, property] of Object.entries(inputProperties)) {
      for (const value of VALUES) {
        for (const planted of plantings(property, value)) {
          places += 1;
          const inputs = { ...usual, [name]: planted };
          const told = await serve(kind)
            .check({}, inputs)
            .then(({ failures }) => failures.map(({ reason }) => reason).join(), String);
          refused += told === "" ? 0 : 1;
          expect([name, told].join()).not.toContain(PASSWORD);
        }
      }
    }
    expect(places).toBeGreaterThan(2);
    if (kind === "MachineConfiguration") {
      expect(refused).toBeGreaterThan(60);
    }
  });
});
