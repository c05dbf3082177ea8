import { mappingAt, type Properties, text } from "../../properties";

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

export interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

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

function hasTags(inputs: Properties, live: Properties): boolean {
  const found = tagsOf(live);
  return Object.entries(tagsOf(inputs)).every(([key, value]) => found[key] === value);
}

/**
 * What was found by a name that is unique; nothing without it.
 *
 * @param what it is, for a person who must decide
 * @throws Unsure if it has other tags than the requested ones
 */
export function ofTags(
  inputs: Properties,
  live: Properties | undefined,
  id: string,
  what: string,
): readonly string[] {
  if (live === undefined) {
    return [];
  }
  if (!hasTags(inputs, live)) {
    throw new Unsure(`${what} exists, with other tags`, [id]);
  }
  return [id];
}

export function tagsOf(live: Properties): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(mappingAt(live, "tags")).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
