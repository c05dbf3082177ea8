import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "../base/unknown";
import type { CheckFailure, Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";

/** Arguments of `ImmutableArguments`. */
export interface ImmutableArgumentsArgs {
  /**
   * Values that can't change once they are recorded, by the path of the argument. Never a secret.
   */
  readonly values: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Why each argument can't change, and what to do instead, by its path. */
  readonly reasons: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Accepted changes: the new value by path. An entry for a recorded value has no effect. Default:
   * none.
   */
  readonly accepted?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Paths that can neither come nor go as long as another path is recorded, by path: that other path.
   * A path without a value counts as `none`, also for `accepted`. Default: paths may come and go.
   */
  readonly recordedWith?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Paths under which an earlier release recorded values, by the path of today. Values and accepted
   * changes under a former path count as those of today's. Default: none.
   */
  readonly formerPaths?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Paths of values that a cluster keeps, whatever the program says, so that the way back to the first
   * one needs no entry in `accepted`. They are recorded without a change of this resource. Default: none.
   */
  readonly born?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What leaves the cluster with a path, and what to do before, by the path. They are recorded without a
   * change of this resource, and a run without a recorded path warns of it. Default: none.
   */
  readonly removals?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Problems for which the run is refused, whatever is recorded, such as that the account has no room
   * for the machines. Default: none.
   */
  readonly refusals?: pulumi.Input<pulumi.Input<string>[]>;
}

/** How `ImmutableArguments` is registered. */
export const immutableArgumentsKind: TalosKind<ImmutableArgumentsArgs> = {
  name: "ImmutableArguments",
  secrets: [],
  inputsOf: (args) => ({
    values: args.values,
    reasons: args.reasons,
    accepted: args.accepted ?? {},
    recordedWith: args.recordedWith ?? {},
    formerPaths: args.formerPaths ?? {},
    born: args.born ?? [],
    removals: args.removals ?? {},
    refusals: args.refusals ?? [],
  }),
};

/**
 * Records the values of a cluster that can't change in place, and refuses other values in the
 * preview. The next `up` records a new path, and forgets a removed one, unless `recordedWith` names it. So a stack of an older
 * release records its values the first time and refuses nothing then. Resources that must not be
 * touched by such a change depend on this resource.
 */
export class ImmutableArguments extends TalosResource {
  constructor(name: string, args: ImmutableArgumentsArgs, opts?: pulumi.CustomResourceOptions) {
    super(immutableArgumentsKind, name, args, opts);
  }
}

/** Stands for a path without a value. */
const NONE = "none";

type ByPath = Readonly<Record<string, string>>;

interface Inputs {
  readonly values: ByPath;
  readonly reasons: ByPath;
  readonly accepted: ByPath;
  /** Absent in the inputs of earlier releases. */
  readonly recordedWith?: ByPath;
  /** The same. */
  readonly formerPaths?: ByPath;
  /** The same. */
  readonly born?: readonly string[];
  /** The same. */
  readonly removals?: ByPath;
  /** The same. */
  readonly refusals?: readonly string[];
  /** Computed by `check`: the first value of each path in `born` that has another one now. */
  readonly first?: ByPath;
}

interface State {
  readonly values: ByPath;
}

/** Checks, creates, reads, updates and deletes `ImmutableArguments`. */
export const immutableArgumentsHandler: Handler<Inputs, State> = {
  transient: ["reasons", "accepted", "recordedWith", "formerPaths", "born", "refusals"],
  computed: ["first"],

  check(olds, news) {
    const { values, reasons, recordedWith = {}, formerPaths = {}, refusals = [], born = [] } = news;
    const { removals = {} } = news;
    const recorded = renamed(olds?.values ?? {}, formerPaths);
    const accepted = renamed(news.accepted, formerPaths);
    const change = (path: string, before: string, after: string): CheckFailure[] => {
      const isBack = olds?.first?.[path] === after;
      const isSame = after === before || isUnknown(after) || accepted[path] === after || isBack;
      const reason = `it can't change from "${before}" to "${after}": ${reasons[path] ?? "make another cluster"}. To change it all the same, set acceptedChanges to ${JSON.stringify({ [path]: after })}`;
      return isSame ? [] : [{ property: path, reason }];
    };
    const failures = [
      ...refusals.map((reason) => ({ property: "", reason })),
      ...Object.entries(recorded)
        .filter(([path]) => path in values)
        .flatMap(([path, before]) => change(path, before, values[path] ?? NONE)),
      ...Object.entries(recordedWith)
        .filter(
          ([path, other]) =>
            other in recorded && other in values && path in recorded !== path in values,
        )
        .flatMap(([path]) => change(path, recorded[path] ?? NONE, values[path] ?? NONE)),
    ];
    const first = firstValues(olds, values, born);
    const lists = { recordedWith, formerPaths, born, removals, refusals };
    const inputs = { ...news, ...lists, ...(first && { first }) };
    const warnings = leftOut(olds?.removals, removals).map(
      ([path, reason]) => `${path} is left out: ${reason}`,
    );
    return Promise.resolve({ inputs, failures, warnings });
  },

  diff(_id, { values }, news) {
    const recorded = renamed(values, news.formerPaths ?? {});
    const { born = [] } = news;
    // A stack of a release that didn't record them must not change by itself.
    const isCounted = ([path]: readonly [string, string]) =>
      path in recorded || !born.includes(path);
    const counted = Object.fromEntries(Object.entries(news.values).filter(isCounted));
    return { changes: !isDeepStrictEqual(counted, recorded) };
  },

  create({ values }) {
    return Promise.resolve({ id: "immutable-arguments", state: { values } });
  },

  update(_id, _state, { values }) {
    return Promise.resolve({ values });
  },
};

/** What is recorded for paths that leave, each with what is lost with it. */
function leftOut(before: ByPath = {}, after: ByPath): readonly (readonly [string, string])[] {
  return Object.entries(before).filter(([path]) => !(path in after));
}

/** The first value of each path that has another one now; undefined if there is none. */
function firstValues(
  olds: Partial<Inputs> | undefined,
  values: ByPath,
  born: readonly string[],
): ByPath | undefined {
  const entries = born.flatMap((path) => {
    const first = olds?.first?.[path] ?? olds?.values?.[path];
    return first === undefined || first === values[path] ? [] : [[path, first] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Entries under former paths, under those of today. */
function renamed(entries: ByPath, formerPaths: ByPath): ByPath {
  const today = new Map(Object.entries(formerPaths).map(([path, former]) => [former, path]));
  return Object.fromEntries(
    Object.entries(entries).map(([path, value]) => [today.get(path) ?? path, value]),
  );
}
