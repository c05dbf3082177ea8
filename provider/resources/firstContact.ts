import * as pulumi from "@pulumi/pulumi";
import { checkTimeout } from "../checkTimeout";
import { clock } from "../clock";
import type { Handler } from "../handler";
import { meetMachine } from "../lifecycle/meetMachine";
import type { ClientCredentials } from "../pki/clientCredentials";
import { type TalosKind, TalosResource } from "../talosResource";
import { isUnknown } from "../unknown";
import { DEFAULT_TIMEOUT_SECONDS } from "./applyChecks";

/** Arguments of `FirstContact`. */
export interface FirstContactArgs {
  /** The machine's EC2 instance id. Another id is another machine, so the resource is replaced. */
  readonly machineId: pulumi.Input<string>;
  /** Address of the machine. */
  readonly node: pulumi.Input<string>;
  /**
   * The Talos API to dial, if it isn't the machine's own: see `ConfigurationApplyArgs`. Default:
   * `node`.
   */
  readonly endpoint?: pulumi.Input<string>;
  /**
   * `ClientConfiguration.credentials`. A machine that already has its configuration proves so with
   * them.
   */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** How long to wait until the machine answers. Seconds. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `FirstContact` is registered. */
export const firstContactKind: TalosKind<FirstContactArgs> = {
  name: "FirstContact",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    machineId: args.machineId,
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    credentials: pulumi.secret(args.credentials),
    timeoutSeconds: args.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    fingerprints: undefined,
  }),
};

/**
 * Records which certificate a machine has in maintenance mode, before `ConfigurationApply` sends it
 * its first configuration. Pass `fingerprints` to `ConfigurationApply.firstContact`. If a run is
 * killed while it sends the configuration, the next one then sends it only to the machine with the
 * recorded certificate, or to the machine that proves over mutual TLS that it has the configuration.
 *
 * It waits until the machine answers and knows the time, and changes nothing on it. A machine that
 * already has its configuration needs no fingerprint, so none is recorded. Talos creates another
 * certificate at each boot. A refresh doesn't look at the machine, because any server could answer
 * then. Replace this resource to trust the machine again, whatever its certificate is.
 */
export class FirstContact extends TalosResource {
  /**
   * The fingerprint of the machine's certificate in maintenance mode, in the form of
   * `ConfigurationApplyArgs.maintenanceFingerprints`. Empty if the machine had its configuration.
   */
  declare readonly fingerprints: pulumi.Output<string[]>;

  constructor(name: string, args: FirstContactArgs, opts?: pulumi.CustomResourceOptions) {
    super(firstContactKind, name, args, opts);
  }
}

interface Inputs {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly timeoutSeconds: number;
}

/** The resource's id is the machine's instance id. */
interface State {
  readonly fingerprints: readonly string[];
}

/** Checks, creates, reads, updates and deletes `FirstContact`. */
export const firstContactHandler: Handler<Inputs, State> = {
  achieved: { create: "has answered" },

  transient: ["node", "endpoint", "credentials", "timeoutSeconds"],

  check(_olds, news) {
    return Promise.resolve({ inputs: news, failures: checkTimeout(news.timeoutSeconds) });
  },

  diff(id, _state, { machineId }) {
    const isOther = isUnknown(machineId) || machineId !== id;
    return { changes: isOther, replaces: isOther ? ["machineId"] : [] };
  },

  async create({ machineId, timeoutSeconds, ...machine }, progress) {
    const deadline = clock.now() + timeoutSeconds * 1_000;
    const met = await meetMachine({ machine, machineId, deadline, progress });
    return { id: machineId, state: { fingerprints: met === undefined ? [] : [met] } };
  },

  // Only another machine would change it, which is a replacement.
  update: (_id, state) => Promise.resolve(state),
};
