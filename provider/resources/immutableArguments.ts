import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import type { CheckFailure, Handler } from "../handler";
import { type TalosKind, TalosResource } from "../talosResource";
import { isUnknown } from "../unknown";

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
}

/** How `ImmutableArguments` is registered. */
export const immutableArgumentsKind: TalosKind<ImmutableArgumentsArgs> = {
  name: "ImmutableArguments",
  secrets: [],
  inputsOf: (args) => ({
    values: args.values,
    reasons: args.reasons,
    accepted: args.accepted ?? {},
  }),
};

/**
 * Records the values of a cluster that can't change in place, and refuses other values in the
 * preview. The next `up` records a new path, and forgets a removed one. So a stack of an older
 * release records its values the first time and refuses nothing then. Resources that must not be
 * touched by such a change depend on this resource.
 */
export class ImmutableArguments extends TalosResource {
  constructor(name: string, args: ImmutableArgumentsArgs, opts?: pulumi.CustomResourceOptions) {
    super(immutableArgumentsKind, name, args, opts);
  }
}

type ByPath = Readonly<Record<string, string>>;

interface Inputs {
  readonly values: ByPath;
  readonly reasons: ByPath;
  readonly accepted: ByPath;
}

interface State {
  readonly values: ByPath;
}

/** Checks, creates, reads, updates and deletes `ImmutableArguments`. */
export const immutableArgumentsHandler: Handler<Inputs, State> = {
  transient: ["reasons", "accepted"],

  check(olds, news) {
    const failures: CheckFailure[] = [];
    for (const [path, before] of Object.entries(olds?.values ?? {})) {
      const after = news.values[path];
      const isSame = after === undefined || after === before || isUnknown(after);
      if (!isSame && news.accepted[path] !== after) {
        const reason = `it can't change from "${before}" to "${after}": ${news.reasons[path] ?? "make another cluster"}`;
        failures.push({ property: path, reason });
      }
    }
    return Promise.resolve({ inputs: news, failures });
  },

  diff(_id, { values }, news) {
    return { changes: !isDeepStrictEqual(news.values, values) };
  },

  create({ values }) {
    return Promise.resolve({ id: "immutable-arguments", state: { values } });
  },

  update(_id, _state, { values }) {
    return Promise.resolve({ values });
  },
};
