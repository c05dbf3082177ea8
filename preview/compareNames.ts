/** The display order of names: `m-2` before `m-10`. */
export function compareNames(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
