/**
 * Does work for each item, at most some of them at the same time.
 *
 * @returns the results, in the order of the items
 */
export async function someAtOnce<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const worker = async () => {
    // All workers take from the same iterator.
    for (const [index, item] of rest) {
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
