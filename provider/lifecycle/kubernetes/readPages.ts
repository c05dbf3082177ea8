import { parseAnswer } from "../../kubernetes/parseAnswer";

/** How many objects are asked for at a time. */
const PAGE_SIZE = 500;

/** The most objects of one list: the largest clusters that Kubernetes supports have 150,000 pods. */
const MOST_OBJECTS = 1_000_000;

/** The most pages without an object that one list can have: an API server sends none but the last. */
const MOST_EMPTY_PAGES = 3;

interface Page<Item> {
  readonly metadata?: { readonly continue?: string };
  /** Go writes an empty list as null. */
  readonly items?: readonly Item[] | null;
}

/**
 * All objects of a list, page by page.
 *
 * @param what names them in errors
 * @param ask gets the answer to a path
 * @param keep what is needed of an object: no more is held
 * @throws Error for a list that doesn't end: the API server is broken, or hostile
 */
export async function readPages<Item>(
  what: string,
  path: string,
  ask: (path: string) => Promise<string>,
  keep: (item: Item) => Item,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let emptyPages = 0;
  let from = "";
  do {
    const next = from === "" ? "" : `&continue=${encodeURIComponent(from)}`;
    const answer = parseAnswer(await ask(`${path}?limit=${PAGE_SIZE}${next}`)) as Page<Item>;
    const { metadata, items } = answer;
    emptyPages += (items ?? []).length === 0 ? 1 : 0;
    if (found.length > MOST_OBJECTS || emptyPages > MOST_EMPTY_PAGES) {
      throw new Error(
        `the API server lists ${what} without an end: after ${found.length} it has more`,
      );
    }
    for (const item of items ?? []) {
      found.push(keep(item));
    }
    from = metadata?.continue ?? "";
  } while (from !== "");
  return found;
}
