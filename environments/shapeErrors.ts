import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { settingsSchema } from "./settingsSchema";

const { properties = {} } = settingsSchema;

/** The settings' names, without what belongs into each. */
const names = {
  ...settingsSchema,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, { title }]) => [name, { title }]),
  ),
};

let ajv: Ajv | undefined;

/** By setting, and one of the names: all take a quarter of a second to compile, and a stack has a few. */
const validators = new Map<string | undefined, ValidateFunction>();

/** @param setting undefined for the names */
function validatorOf(setting: string | undefined): ValidateFunction {
  ajv ??= new Ajv({
    allErrors: true,
    verbose: true,
    // The validator does not use the schema's titles, so it must not check them.
    allowUnionTypes: true,
    code: { optimize: false },
    // A test checks the schema, which takes longer than to read the settings.
    validateSchema: false,
  });
  const validator =
    validators.get(setting) ??
    ajv.compile(
      setting === undefined
        ? names
        : { type: "object", properties: { [setting]: properties[setting] } },
    );
  validators.set(setting, validator);
  return validator;
}

/** What is wrong with the names and the shapes of settings; each error has its part of the schema. */
export function shapeErrors(values: Readonly<Record<string, unknown>>): readonly ErrorObject[] {
  const given = Object.keys(properties).filter((setting) => setting in values);
  return [undefined, ...given].flatMap((setting) => {
    const validate = validatorOf(setting);
    return validate(values) ? [] : (validate.errors ?? []);
  });
}
