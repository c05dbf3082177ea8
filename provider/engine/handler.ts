import type { Progress } from "../base/progress";
import type { IsMarkable } from "./unseenValues";

/** One thing wrong with one input, as the engine shows it. */
export interface CheckFailure {
  /** The input it is about, dotted for nested ones. */
  readonly property: string;
  /** What is wrong, the bad value, what is allowed. Never a secret value. */
  readonly reason: string;
}

/** What `check` makes of a resource's inputs. */
export interface CheckResult<Inputs> {
  /**
   * The inputs in canonical form, with defaults filled and computed values added; with failures, no
   * value in them is unknown that wasn't given so.
   */
  readonly inputs: Inputs;
  /** All that is wrong, at once; empty when nothing is. */
  readonly failures: readonly CheckFailure[];
  /** What is right and may surprise: shown beside the resource in previews and updates. Default: nothing. */
  readonly warnings?: readonly string[];
}

/** What an update would do. */
export interface DiffResult {
  /** Default: whether the kept inputs differ, of which the engine then shows each that does. */
  readonly changes?: boolean;
  /** Names of the inputs whose change needs another object in place of this one. */
  readonly replaces?: readonly string[];
  /** Whether the old object must be gone before the new one is made. Default: no. */
  readonly deleteBeforeReplace?: boolean;
}

/** A resource as it really is. */
export interface ReadResult<State, Inputs> {
  readonly state: State;
  /**
   * The inputs that would have made it what it is, without transient ones: the next preview shows
   * what differs from them. Default: those of the last update.
   */
  readonly inputs?: Partial<Inputs>;
}

/** An object that exists already, as the first state of a resource. */
export interface ImportResult<State, Inputs> {
  /** The id of the resource, as `create` would have made it. */
  readonly id: string;
  readonly state: State;
  /** The inputs that would have made it, as far as they are known. */
  readonly inputs: Partial<Inputs>;
}

/** What a handler does with the object of a resource. */
export type Action = "create" | "read" | "import" | "update" | "delete";

/**
 * A kind of resource: its whole life over plain values. `Inputs` is what `check` returns, `State`
 * is what is kept; in a preview any value in them may be unknown (see `isUnknown`).
 *
 * `check` and `diff` are pure: they contact nothing. A handler knows neither how it is called nor
 * who keeps its state, so that the same one can serve a dynamic provider or a plugin.
 */
export interface Handler<Inputs extends object, State extends object> {
  /**
   * Names of inputs that are needed to act but are not kept with the resource, because its state
   * would grow or a preview be crowded by them. What `diff` compares of them must be in the state.
   * If these inputs were not checked in this run, `diff` sees them as unknown. In a refresh they are
   * absent. Default: none.
   */
  readonly transient?: readonly (keyof Inputs & string)[];
  /**
   * Names of kept inputs that `check` computes from the others, which `ignoreChanges` can't keep as
   * they are. A program gives none, or an empty text. Default: none.
   */
  readonly computed?: readonly (keyof Inputs & string)[];
  /**
   * Whether an argument may have secrets anywhere, which are in the input `markedValues`. It is in the
   * kind's `TalosKind` too. Default: none of them.
   */
  readonly isMarkable?: IsMarkable;
  /**
   * Names of outputs that a program in TypeScript computes from the others, so that the states of
   * dynamic resources don't keep them, unless they hide what the program doesn't know. The plugin's do, for programs in other languages. States of
   * older releases have them. Default: none.
   */
  readonly derived?: readonly (keyof State & string)[];
  /**
   * What an action that has reported progress has achieved, for the end of the resource's row, as in
   * "etcd is up and healthy". Default: "done".
   */
  readonly achieved?: Readonly<Partial<Record<Action, string>>>;
  /** Judges inputs; `olds` are those of the last update, absent for a new resource. */
  check(olds: Partial<Inputs> | undefined, news: Inputs): Promise<CheckResult<Inputs>>;
  diff(id: string, state: State, news: Inputs): DiffResult;
  create(
    inputs: Inputs,
    progress: Progress,
  ): Promise<{ readonly id: string; readonly state: State }>;
  /** Default: what is recorded is taken for true. */
  read?(id: string, state: State, progress: Progress): Promise<ReadResult<State, Inputs>>;
  /**
   * Takes over an object by what a person types as its id. It changes nothing. Default: the kind
   * can't be imported. Dynamic resources can't be either.
   */
  import?(id: string, progress: Progress): Promise<ImportResult<State, Inputs>>;
  update(id: string, state: State, news: Inputs, progress: Progress): Promise<State>;
  /** Default: there is nothing to undo. */
  delete?(id: string, state: State, progress: Progress): Promise<void>;
}

/**
 * Raised by `create` when the object exists but is not yet as it should be. The engine records the
 * object, and the next `up` continues with `update` instead of making a second one.
 */
export class PartialCreateError extends Error {
  /** What the engine shows; it ignores `message` for this kind of error. */
  readonly reasons: readonly string[];

  constructor(
    message: string,
    readonly id: string,
    readonly properties: object,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "PartialCreateError";
    this.reasons = [message];
  }
}

/**
 * Raised by `update` when the object took the change but is not yet as it should be. The engine records
 * the properties as the new state, and the next `up` calls `update` again, also when nothing changed.
 */
export class PartialUpdateError extends PartialCreateError {
  constructor(...args: ConstructorParameters<typeof PartialCreateError>) {
    super(...args);
    this.name = "PartialUpdateError";
  }
}
