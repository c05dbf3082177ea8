/**
 * Items in groups with the same key, in the order of each group's first item.
 *
 * @param keyOf any value of JSON
 */
export function groupAlike<Item extends object>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown,
): [Item, ...Item[]][] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(keyOf(item)));
  return [...groups.values()].flatMap(([first, ...others]): [Item, ...Item[]][] =>
    first === undefined ? [] : [[first, ...others]],
  );
}
