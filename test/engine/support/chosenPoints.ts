/** How many points a seed chooses. */
const COUNT = 3;

/**
 * The points of a test that are tried.
 *
 * @param mode `all`, a number that chooses some, or empty for the few
 * @throws Error when the mode is something else, or one of the few isn't among all
 */
export function chosenPoints(
  mode: string,
  all: readonly string[],
  few: readonly string[],
): readonly string[] {
  if (mode === "") {
    const unknown = few.filter((point) => !all.includes(point));
    if (unknown.length > 0) {
      throw new Error(`there is no ${unknown.join(", ")} among ${all.join(", ")}`);
    }
    return few;
  }
  if (mode === "all") {
    return all;
  }
  const seed = Number(mode);
  if (!Number.isInteger(seed)) {
    throw new Error(`"${mode}" is neither "all" nor a number that chooses points`);
  }
  const random = randomFrom(seed);
  // The same for the same seed, in whichever order the engine tells of them.
  const rest = [...all].sort();
  const chosen: string[] = [];
  while (chosen.length < COUNT && rest.length > 0) {
    chosen.push(...rest.splice(Math.floor(random() * rest.length), 1));
  }
  return chosen;
}

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
