/** A JSON schema whose `title` describes the value, after "must be". */
export interface SettingSchema {
  readonly title: string;
  readonly type: "string" | "boolean" | "integer" | "array" | "object" | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: SettingSchema;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SettingSchema | false;
}

/** A text setting. */
export const text = (title: string): SettingSchema => ({ title, type: "string" });

/** A Boolean setting. */
export const flag: SettingSchema = { title: "true or false", type: "boolean" };

/** A whole number setting. */
export const whole = (title: string): SettingSchema => ({ title, type: "integer" });

/** A setting with one of some texts. */
export const choice = (texts: readonly string[]): SettingSchema => ({
  title: `one of ${texts.join(", ")}`,
  type: "string",
  enum: texts,
});

/** A list setting. */
export const list = (title: string, items: SettingSchema): SettingSchema => ({
  title,
  type: "array",
  items,
});

/** A setting with texts by keys that people choose; `example` is one of them. */
export const textsByKey = (example: string): SettingSchema => ({
  title: `an object of texts, as in {${example}}`,
  type: "object",
  additionalProperties: text("a text: write numbers and flags in quotes"),
});

/** A setting with nested settings, by known keys. */
export const group = (
  title: string,
  properties: Readonly<Record<string, SettingSchema>>,
  required: readonly string[] = [],
): SettingSchema => ({ title, type: "object", properties, required, additionalProperties: false });

/** A setting that `true` turns on with its defaults. */
export const switched = (
  example: string,
  properties: Readonly<Record<string, SettingSchema>>,
): SettingSchema => ({
  title: `true, false, or an object, as in {${example}}`,
  type: ["boolean", "object"],
  properties,
  additionalProperties: false,
});

/** A setting that is a list of IPv4 ranges. */
export const ranges: SettingSchema = list(
  `a list of IPv4 ranges, as in ["203.0.113.7/32"]`,
  text(`an IPv4 range, as in "203.0.113.7/32"`),
);
