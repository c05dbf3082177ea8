import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { secret } from "@pulumi/pulumi";
import { checkTimeout } from "../checkTimeout";
import { clock } from "../clock";
import type { Handler } from "../handler";
import { awaitEtcd } from "../lifecycle/awaitEtcd";
import { awaitWell } from "../lifecycle/awaitWell";
import type { ClientCredentials } from "../pki/clientCredentials";
import { TalosResource } from "../talosResource";

/** Arguments of `MachineTurn`. */
export interface MachineTurnArgs {
  /** Address of the control plane machine whose turn was before. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, when it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** What stops or replaces that machine when it changes, for example its instance type. */
  readonly triggers: pulumi.Input<pulumi.Input<string>[]>;
  /** How long to wait for etcd and the machine before. Default: 900. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/**
 * Gate for disruptive changes: what depends on it stops or replaces a control plane machine. When what
 * stops machines changes, it waits until all members of etcd are healthy, and the machine before is well:
 * its static pods, the API server first, its kubelet and its node. So there is never more than one down,
 * and a change that went wrong stops there. Made for the first time it waits for nothing: machines that
 * are new have no etcd that could lose its quorum.
 */
export class MachineTurn extends TalosResource {
  constructor(name: string, args: MachineTurnArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      node: args.node,
      endpoint: args.endpoint ?? args.node,
      credentials: secret(args.credentials),
      triggers: args.triggers,
      timeoutSeconds: args.timeoutSeconds ?? 900,
    };
    super("MachineTurn", name, props, ["credentials"], opts);
  }
}

interface Inputs {
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly triggers: readonly string[];
  readonly timeoutSeconds: number;
}

interface State {
  readonly triggers: readonly string[];
}

/** Checks, creates, reads, updates and deletes `MachineTurn`. */
export const machineTurnHandler: Handler<Inputs, State> = {
  transient: ["node", "endpoint", "credentials", "timeoutSeconds"],

  check(_olds, news) {
    return Promise.resolve({ inputs: news, failures: checkTimeout(news.timeoutSeconds) });
  },

  diff(_id, { triggers }, news) {
    return { changes: !isDeepStrictEqual(news.triggers, triggers) };
  },

  create({ triggers }) {
    return Promise.resolve({ id: "turn", state: { triggers } });
  },

  async update(_id, _state, news, progress) {
    try {
      const deadline = clock.now() + news.timeoutSeconds * 1_000;
      await awaitEtcd(news, deadline, progress);
      await awaitWell({ machine: news, settledSeconds: 0, wasUp: true, deadline, progress });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(
        `no machine may be stopped now: ${message}. A member whose machine is gone for good has to be taken out, with "talosctl -n ${news.node} etcd remove-member"`,
        { cause: error },
      );
    }
    return { triggers: news.triggers };
  },
};
