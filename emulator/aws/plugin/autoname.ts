import { createHash } from "node:crypto";
import type { Inputs } from "./inputs";
import type { AutonameRule } from "./resourceKind";

const SUFFIX_LENGTH = 7;

/**
 * The generated name of a resource: its Pulumi name, a dash and seven hexadecimal digits, as Pulumi
 * names all resources. The same seed produces the same digits.
 *
 * @throws Error when the name would be longer than AWS allows.
 */
export function autoname(
  pulumiName: string,
  randomSeed: Uint8Array,
  { maxLength, property = "name", lowerCase = false }: AutonameRule,
): string {
  const digits = createHash("sha256").update(randomSeed).digest("hex").slice(0, SUFFIX_LENGTH);
  const name = `${lowerCase ? pulumiName.toLowerCase() : pulumiName}-${digits}`;
  if (name.length > maxLength) {
    throw new Error(
      `"${name}", made from the resource's name, has ${name.length} characters and AWS allows ` +
        `${maxLength}: give the resource a shorter name, or set the property "${property}"`,
    );
  }
  return name;
}

/**
 * The name in a resource's inputs, or a unique name that starts with the prefix in its inputs.
 *
 * @param rule the longest a name with a prefix may be. Default: the prefix and twenty digits.
 */
export function chosenName(
  inputs: Inputs,
  { maxLength, property = "name" }: Partial<AutonameRule> = {},
): string {
  return (
    inputs.string(property) ??
    `${inputs.requiredString(`${property}Prefix`)}${uniqueDigits()}`.slice(0, maxLength)
  );
}

function uniqueDigits(): string {
  const unique = createHash("sha256").update(`${process.hrtime.bigint()}${Math.random()}`);
  return unique.digest("hex").slice(0, 20);
}
