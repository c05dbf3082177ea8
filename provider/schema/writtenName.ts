/** How a program writes a name of the schema. */
export type WrittenName = (name: string) => string;

/** As the schema, YAML and TypeScript write it. */
export const asInSchema: WrittenName = (name) => name;
