import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { checkTimeout } from "../checkTimeout";
import { clock } from "../clock";
import type { Handler } from "../handler";
import { readyForStage } from "../lifecycle/readyForStage";
import type { ClientCredentials } from "../pki/clientCredentials";
import type { Rotation } from "../pki/rotation/rotation";
import type { ConfigurationOutline } from "../renderConfiguration";
import { isOutline } from "../renderMachineConfiguration";
import { type TalosKind, TalosResource } from "../talosResource";

/** Arguments of `RotationGate`. */
export interface RotationGateArgs {
  /** Address of a control plane machine. It knows the others. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, if it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** The stages to begin. */
  readonly rotation: pulumi.Input<Rotation>;
  /** `MachineConfiguration.redactedConfiguration` of the control plane in these stages. */
  readonly redactedConfiguration: pulumi.Input<ConfigurationOutline>;
  /** How long all machines together may take to answer. Seconds. Default: 300. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `RotationGate` is registered. */
export const rotationGateKind: TalosKind<RotationGateArgs> = {
  name: "RotationGate",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    credentials: pulumi.secret(args.credentials),
    rotation: args.rotation,
    redactedConfiguration: args.redactedConfiguration,
    timeoutSeconds: args.timeoutSeconds ?? 300,
  }),
};

/**
 * Gate before a stage of a rotation. When the stages change, it asks every machine of the cluster
 * whether it completed the stage before. Let the machines' `ConfigurationApply` depend on it: if a
 * machine lags behind, nothing is changed. This also holds in an update without a preview, and for
 * machines that AWS created. The create asks no machine, because the first stage only accepts one
 * more CA.
 */
export class RotationGate extends TalosResource {
  constructor(name: string, args: RotationGateArgs, opts?: pulumi.CustomResourceOptions) {
    super(rotationGateKind, name, args, opts);
  }
}

interface Inputs {
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly rotation: Rotation;
  readonly redactedConfiguration: ConfigurationOutline | string;
  readonly timeoutSeconds: number;
}

interface State {
  readonly rotation: Rotation;
}

/** Checks, creates, reads, updates and deletes `RotationGate`. */
export const rotationGateHandler: Handler<Inputs, State> = {
  transient: ["node", "endpoint", "credentials", "redactedConfiguration", "timeoutSeconds"],

  check(_olds, news) {
    return Promise.resolve({ inputs: news, failures: checkTimeout(news.timeoutSeconds) });
  },

  diff(_id, state, { rotation }) {
    return { changes: !isDeepStrictEqual(rotation, state.rotation) };
  },

  create({ rotation }) {
    return Promise.resolve({ id: "rotation", state: { rotation } });
  },

  async update(_id, _state, news, progress) {
    const { rotation, redactedConfiguration: target, timeoutSeconds } = news;
    if (isOutline(target)) {
      const deadline = clock.now() + timeoutSeconds * 1_000;
      await readyForStage(news, target, deadline, progress);
    }
    return { rotation };
  },
};
