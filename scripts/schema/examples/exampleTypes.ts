/** What examples need of the schema of a value. */
export interface ValueSchema {
  readonly type?: string;
  readonly $ref?: string;
  readonly plain?: boolean;
  readonly items?: ValueSchema;
  readonly additionalProperties?: ValueSchema;
  readonly oneOf?: readonly ValueSchema[];
}

/** The members of a mapping. */
export interface MembersSchema {
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}

/** Finds the members of arguments and types in a schema that is being made. */
export class ExampleTypes {
  constructor(
    private readonly types: Readonly<Record<string, unknown>>,
    private readonly resources: Readonly<Record<string, unknown>>,
  ) {}

  /** The arguments of a resource. */
  argumentsOf(token: string): MembersSchema {
    const { inputProperties, requiredInputs } = this.resources[token] as {
      readonly inputProperties: NonNullable<MembersSchema["properties"]>;
      readonly requiredInputs: readonly string[];
    };
    return { properties: inputProperties, required: requiredInputs };
  }

  /** The members of an object or the values of an enumeration; undefined for another schema. */
  named({ $ref = "" }: ValueSchema): (MembersSchema & { readonly name: string }) | undefined {
    const token = $ref.replace("#/types/", "");
    const type = this.types[token] as MembersSchema | undefined;
    return type && { ...type, name: nameOf(token) };
  }
}

/** `Network` of `talos-aws:index:Network`. */
export function nameOf(token: string): string {
  return token.split(":").pop() ?? token;
}
