import type { TalosClusterArgs } from "../../../components";
import { kinds } from "./randomKinds";

/** What a person changes at once: words for it, and all arguments afterwards. */
export interface RandomChange {
  readonly words: string;
  readonly args: TalosClusterArgs;
}

/** The most kinds of changes at once. */
const MOST_AT_ONCE = 3;

/** A list with an item at least. */
export type Choices<Item> = readonly [Item, ...Item[]];

/** Chooses, by numbers from 0 to 1. */
export class Random {
  constructor(private readonly next: () => number) {}

  /** A whole number from 0 on, below the count. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  of<Item>(choices: Choices<Item>): Item {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** Mostly the release after the present one, sometimes the one before it, or any. */
  release(releases: Choices<string>, present: unknown): string {
    const index = releases.findIndex((each) => each === present);
    const neighbour = releases[index + (this.below(4) === 0 ? -1 : 1)];
    return this.below(8) === 0 || neighbour === undefined ? this.of(releases) : neighbour;
  }
}

/** Some kinds of changes at once, each of them once. */
export function randomChange(args: TalosClusterArgs, random: Random): RandomChange {
  const count = 1 + random.below(MOST_AT_ONCE);
  const chosen = new Set(Array.from({ length: count }, () => random.of(random.of(kinds))));
  const change = { words: [] as string[], args };
  for (const kind of chosen) {
    const { words, args: changed } = kind(change.args, random);
    change.words.push(words);
    change.args = changed;
  }
  return { words: change.words.join(", "), args: change.args };
}
