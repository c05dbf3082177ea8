/**
 * The one thing that a function for one thing finds.
 *
 * @throws {Error} in the AWS provider's words, when there is none or several.
 */
export function theOnly<Found>(title: string, found: readonly Found[] | undefined): Found {
  const [first, ...others] = found ?? [];
  if (first === undefined) {
    throw new Error(`no matching ${title} found`);
  }
  if (others.length > 0) {
    throw new Error(
      `multiple ${title}s matched; use additional constraints to reduce matches to a single ${title}`,
    );
  }
  return first;
}
