import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { secret } from "@pulumi/pulumi";
import { clock } from "../base/clock";
import { messageOfError } from "../base/messageOfError";
import { checkTimeout } from "../engine/checkTimeout";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { awaitEtcd } from "../lifecycle/etcd/awaitEtcd";
import { awaitHealthy } from "../lifecycle/health/awaitHealthy";
import type { ClientCredentials } from "../pki/clientCredentials";

/** Arguments of `MachineTurn`. */
export interface MachineTurnArgs {
  /** Address of the control plane machine before. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, if it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** Values whose change stops or replaces that machine, for example its instance type. */
  readonly triggers: pulumi.Input<pulumi.Input<string>[]>;
  /** How long to wait for etcd and the machine before. Seconds. Default: 900. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `MachineTurn` is registered. */
export const machineTurnKind: TalosKind<MachineTurnArgs> = {
  name: "MachineTurn",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    credentials: secret(args.credentials),
    triggers: args.triggers,
    timeoutSeconds: args.timeoutSeconds ?? 900,
  }),
};

/**
 * Gate for disruptive changes: waits until etcd is healthy again. Let resources that stop or
 * replace a control plane machine depend on it. When a trigger changes, it waits until all members
 * of etcd are healthy, and the machine before: its static pods, its kubelet and its node. So at
 * most one machine is down, and a failed change stops there. The create does not wait, because new
 * machines have no etcd yet.
 */
export class MachineTurn extends TalosResource {
  constructor(name: string, args: MachineTurnArgs, opts?: pulumi.CustomResourceOptions) {
    super(machineTurnKind, name, args, opts);
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
  achieved: { update: "the machines before are healthy" },

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
      await awaitHealthy({ machine: news, settledSeconds: 0, wasUp: true, deadline, progress });
    } catch (error) {
      const message = messageOfError(error);
      throw new Error(`no machine may be stopped now: ${message}`, { cause: error });
    }
    return { triggers: news.triggers };
  },
};
