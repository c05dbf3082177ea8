import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import type { CheckFailure, Handler } from "../handler";
import { TalosResource } from "../talosResource";
import { isUnknown } from "../unknown";

/** Arguments of `ImmutableArguments`. */
export interface ImmutableArgumentsArgs {
  /** What can't change once it was recorded, by the path of the argument. Never a secret. */
  readonly values: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Why an argument can't change, and what to do instead, by its path. */
  readonly reasons: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Changes that are accepted all the same, by path: the new value. An entry for a value that is
   * recorded already does nothing. Default: none.
   */
  readonly accepted?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * Keeps what a cluster was made with and can't be changed in place, and refuses another value in the
 * preview. A path that is new is recorded by the next `up`; one that is left out is forgotten. So a
 * stack of an older release records its values the first time and refuses nothing then.
 *
 * What must not happen after such a change depends on this resource.
 */
export class ImmutableArguments extends TalosResource {
  constructor(name: string, args: ImmutableArgumentsArgs, opts?: pulumi.CustomResourceOptions) {
    const props = { values: args.values, reasons: args.reasons, accepted: args.accepted ?? {} };
    super("ImmutableArguments", name, props, [], opts);
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
