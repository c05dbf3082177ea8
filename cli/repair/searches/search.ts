import type { Properties } from "../../stackResource";

/**
 * Asks AWS something that changes nothing, through the engine's own AWS provider.
 *
 * @param token of a function of the provider, such as `aws:ec2/getVpcs:getVpcs`
 */
export type Ask = (token: string, args: Properties) => Promise<Properties>;

/**
 * Finds what was made of a resource that isn't recorded.
 *
 * @param inputs what was asked for, as the engine recorded it before it asked
 * @param recorded ids that the stack has already
 * @returns ids of all that fits, usually none or one; recorded ones may be among them
 * @throws Unsure when what is there may be somebody else's
 */
export type Search = (
  inputs: Properties,
  ask: Ask,
  recorded: ReadonlySet<string>,
) => Promise<readonly string[]>;

/** Something is there, and may belong to another stack: a person has to decide. */
export class Unsure extends Error {
  override readonly name = "Unsure";

  constructor(
    reason: string,
    readonly ids: readonly string[],
  ) {
    super(reason);
  }
}

/** A filter as EC2's functions take them. */
export interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

/** The text of a property; empty when it has none. */
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

/** Filters by all tags that were asked for. What is made has them from its first moment. */
export function tagFilters(inputs: Properties): readonly Filter[] {
  return Object.entries(tagsOf(inputs)).map(([key, value]) => filter(`tag:${key}`, value));
}

/** Where to ask: the resource's own region, where it has one. */
export function place(inputs: Properties): Properties {
  const region = text(inputs, "region");
  return region === "" ? {} : { region };
}

/** The answer, or nothing when AWS has no such thing. */
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
 * How the AWS provider says that there is none. What it says otherwise, such as that access is
 * denied, stays an error: not known is not absent.
 */
const ABSENT =
  /no matching|couldn't find resource|empty result|returned 0 results|returned no results|NoSuchEntity|not found|NotFound/;

/** Whether the tags of something that has its name alone are those that were asked for. */
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
