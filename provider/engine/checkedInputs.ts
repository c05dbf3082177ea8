import { isDeepStrictEqual } from "node:util";
import { isUnknown, UNKNOWN } from "../base/unknown";
import { canonicalJson } from "../config/canonicalJson";

/** The input that holds the resource's own URN, which handlers never see. */
export const URN = "__urn";

/** The input with the names of those that a program certainly gives, which handlers never see. */
export const GIVEN = "__given";

type Properties = Readonly<Record<string, unknown>>;

interface Checked {
  readonly transient: Properties;
  readonly urn: string | undefined;
  readonly differs: boolean;
  readonly hides: boolean;
}

/**
 * The inputs of one kind of resource as they were checked in this process. The engine keeps what
 * `check` returns in the state, shows it, and hands it to `diff`, `create` and `update`; transient
 * inputs are held back here and given back there. That can be relied on: the engine asks the same
 * process to check a resource before it has it created or updated (pulumi v3.230.0,
 * pkg/resource/deploy/step_generator.go).
 */
export class CheckedInputs {
  private readonly checked = new Map<string, Checked>();

  constructor(private readonly transient: readonly string[]) {}

  /**
   * Holds back what is transient. Of two resources that keep the same and hold back something else, such as those
   * of two clusters, the second one also keeps its URN. Otherwise one would act with the other's.
   *
   * @param olds what was kept of the inputs the last time; empty for a new resource
   * @param hides whether parts of the inputs are hidden that the program doesn't know
   * @returns what is to be kept
   */
  hold(inputs: Properties, olds: Properties, hides = false): Record<string, unknown> {
    const isTransient = ([name]: [string, unknown]) => this.transient.includes(name);
    const { [URN]: urn, [GIVEN]: given, ...others } = inputs;
    const entries = Object.entries(others);
    const own = Object.fromEntries(entries.filter((entry) => !isTransient(entry)));
    const held = Object.fromEntries(entries.filter(isTransient));
    const other = this.checked.get(keyOf(own));
    const isShared = other?.urn !== undefined && other.urn !== urn;
    const isTwin = isShared && !isDeepStrictEqual(other.transient, held);
    const kept = isTwin ? { ...own, [URN]: urn } : own;
    const key = keyOf(kept);
    // Where two resources keep the same, the more careful answer is right for both.
    const differs = key !== keyOf(olds) && this.checked.get(key)?.differs !== false;
    this.checked.set(key, {
      transient: held,
      // The first one's: what it holds back later is not the others'.
      urn: isShared && !isTwin ? other.urn : typeof urn === "string" ? urn : undefined,
      differs,
      hides,
    });
    return kept;
  }

  /** Whether what is kept of a resource's inputs is known to differ from what was kept before. */
  differs(kept: Properties): boolean {
    return this.checked.get(keyOf(kept))?.differs ?? false;
  }

  /** Whether the program can't know what of these inputs is hidden. */
  hides(kept: Properties): boolean {
    return this.checked.get(keyOf(kept))?.hides ?? false;
  }

  /** The URN of the resource whose inputs these are, if it is known. */
  urn(kept: Properties): string | undefined {
    return this.checked.get(keyOf(kept))?.urn;
  }

  /**
   * All inputs, as far as they are known. The engine also compares inputs that were not checked in this
   * run. In a refresh these are the recorded ones, without transient inputs. To find out what the
   * replacement of another resource affects, it makes up inputs with unknown values.
   */
  known(kept: Properties): Properties {
    const madeUp = isUnknown(kept) ? this.transient.map((name) => [name, UNKNOWN]) : [];
    const unknown = Object.fromEntries(madeUp) as Properties;
    return { ...unknown, ...this.checked.get(keyOf(kept))?.transient, ...kept };
  }

  /**
   * All inputs, to act on.
   *
   * @throws Error when these inputs were not checked before
   */
  all(kept: Properties): Properties {
    const transient = this.checked.get(keyOf(kept))?.transient;
    const inputs = { ...transient, ...kept };
    const missing = this.transient.filter((name) => !Object.hasOwn(inputs, name));
    if (missing.length > 0) {
      throw new Error(
        `the inputs ${missing.join(", ")} were not checked in this run: run the command again`,
      );
    }
    return inputs;
  }
}

/** Of inputs that are asked of more than once. */
const keys = new WeakMap<Properties, string>();

/** The same for what the engine takes for the same: it may drop what is null. */
function keyOf(inputs: Properties): string {
  const known = keys.get(inputs);
  if (known !== undefined) {
    return known;
  }
  const { __provider, ...values } = inputs;
  const key = canonicalJson(values, { withoutNull: true });
  keys.set(inputs, key);
  return key;
}
