/** A JSON schema whose `title` says, after "must be", what is asked for. */
export interface SettingSchema {
  readonly title: string;
  readonly type: "string" | "boolean" | "integer" | "array" | "object" | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: SettingSchema;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SettingSchema | false;
}

/** A setting that is a text. */
export const text = (title: string): SettingSchema => ({ title, type: "string" });

/** A setting that is a switch. */
export const flag: SettingSchema = { title: "true or false", type: "boolean" };

/** A setting that is a whole number. */
export const whole = (title: string): SettingSchema => ({ title, type: "integer" });

/** A setting that is one of some texts. */
export const choice = (texts: readonly string[]): SettingSchema => ({
  title: `one of ${texts.join(", ")}`,
  type: "string",
  enum: texts,
});

/** A setting that is a list. */
export const list = (title: string, items: SettingSchema): SettingSchema => ({
  title,
  type: "array",
  items,
});

/** A setting that has texts by keys that people choose; `example` is one of them. */
export const textsByKey = (example: string): SettingSchema => ({
  title: `an object of texts, as in {${example}}`,
  type: "object",
  additionalProperties: text("a text: write numbers and flags in quotes"),
});

/** A setting that has settings of its own, by keys that are known. */
export const group = (
  title: string,
  properties: Readonly<Record<string, SettingSchema>>,
  required: readonly string[] = [],
): SettingSchema => ({ title, type: "object", properties, required, additionalProperties: false });

/** A setting that is a list of IPv4 ranges. */
export const ranges: SettingSchema = list(
  `a list of IPv4 ranges, as in ["203.0.113.7/32"]`,
  text(`an IPv4 range, as in "203.0.113.7/32"`),
);
