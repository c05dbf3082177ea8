import type { Properties } from "../../stackResource";

/**
 * Calls a read-only function of AWS, through the engine's own AWS provider.
 *
 * @param token of a function of the provider, for example `aws:ec2/getVpcs:getVpcs`
 */
export type Ask = (token: string, args: Properties) => Promise<Properties>;

/**
 * Finds the objects that were created for an unrecorded resource.
 *
 * @param inputs the requested inputs, which the engine records before the create
 * @param recorded ids that the stack already has
 * @returns ids of all matches, usually none or one; they may include recorded ones
 * @throws Unsure if a match may belong to another owner
 */
export type Search = (
  inputs: Properties,
  ask: Ask,
  recorded: ReadonlySet<string>,
) => Promise<readonly string[]>;

/** A match may belong to another stack, so a person must decide. */
export class Unsure extends Error {
  override readonly name = "Unsure";

  constructor(
    reason: string,
    readonly ids: readonly string[],
  ) {
    super(reason);
  }
}

/** A filter of EC2's functions. */
export interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

/** The text of a property; empty without one. */
export function text(properties: Properties, name: string): string {
  const value = properties[name];
  return typeof value === "string" ? value : "";
}

/** The texts in a list. */
export function texts(properties: Properties, name: string): readonly string[] {
  const value = properties[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** The objects in a list. */
export function objects(properties: Properties, name: string): readonly Properties[] {
  const value = properties[name];
  return Array.isArray(value) ? value.filter(isProperties) : [];
}

/** A filter by one value. */
export function filter(name: string, value: string): Filter {
  return { name, values: [value] };
}

/** Filters by all requested tags. AWS sets them during the create. */
export function tagFilters(inputs: Properties): readonly Filter[] {
  return Object.entries(tagsOf(inputs)).map(([key, value]) => filter(`tag:${key}`, value));
}

/** The region of the call: the resource's own one, if it has one. */
export function place(inputs: Properties): Properties {
  const region = text(inputs, "region");
  return region === "" ? {} : { region };
}

/** The answer, or undefined if AWS has no such object. */
export async function askFor(
  ask: Ask,
  token: string,
  args: Properties,
): Promise<Properties | undefined> {
  try {
    return await ask(token, args);
  } catch (error) {
    if (error instanceof Error && ABSENT.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The AWS provider's messages about a missing object. Others, for example about denied access, stay
 * errors: unknown is not missing.
 */
const ABSENT =
  /no matching|couldn't find resource|empty result|returned 0 results|returned no results|NoSuchEntity|not found|NotFound/;

/** Whether an object that was found only by its name has the requested tags. */
export function hasTags(inputs: Properties, live: Properties): boolean {
  const found = tagsOf(live);
  return Object.entries(tagsOf(inputs)).every(([key, value]) => found[key] === value);
}

function tagsOf({ tags }: Properties): Readonly<Record<string, string>> {
  if (!isProperties(tags)) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(tags).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function isProperties(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
