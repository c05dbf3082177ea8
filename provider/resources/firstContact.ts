import * as pulumi from "@pulumi/pulumi";
import { clock } from "../base/clock";
import { isUnknown } from "../base/unknown";
import type { InstanceConsole } from "../console/readConsole";
import { checkTimeout } from "../engine/checkTimeout";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { ConsoleProof } from "../lifecycle/delivery/consoleProof";
import { meetMachine, type Proof } from "../lifecycle/delivery/meetMachine";
import type { ClientCredentials } from "../pki/clientCredentials";
import {
  checkConsole,
  checkFingerprints,
  DEFAULT_TIMEOUT_SECONDS,
} from "./configurationApply/applyChecks";
import type { ConsoleArgs } from "./consoleArgs";

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
  /**
   * Fingerprints of the machine's maintenance certificate; see `ConfigurationApplyArgs`. A machine
   * with another one is an error. They take precedence over `console`. Default: none.
   */
  readonly maintenanceFingerprints?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Where EC2 shows what the machine prints: it must print the fingerprint of its certificate there.
   * Pass the same to `ConfigurationApply.console`. Default: the first machine that answers is
   * trusted.
   */
  readonly console?: ConsoleArgs | undefined;
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
    maintenanceFingerprints: args.maintenanceFingerprints ?? [],
    console: args.console && pulumi.secret(args.console),
    timeoutSeconds: args.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    fingerprints: undefined,
    provenBy: undefined,
  }),
};

/**
 * Records which certificate a machine has in maintenance mode, before `ConfigurationApply` sends it
 * its first configuration. Pass `fingerprints` to `ConfigurationApply.firstContact`. If a run is
 * killed while it sends the configuration, the next one then sends it only to the machine with the
 * recorded certificate, or to the machine that proves over mutual TLS that it has the configuration.
 *
 * With `console` or `maintenanceFingerprints`, the machine must prove that it is the EC2 instance. Without,
 * the first server that answers at its address is trusted.
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
  /**
   * How the machine has proven to be the one: `console`, `fingerprint` (one of the given), `certificate`
   * (it had its configuration), or `firstAnswer` (it has not). Undefined for a contact of an older
   * release, which trusted the first answer.
   */
  declare readonly provenBy: pulumi.Output<string | undefined>;

  constructor(name: string, args: FirstContactArgs, opts?: pulumi.CustomResourceOptions) {
    super(firstContactKind, name, args, opts);
  }
}

interface Inputs {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly maintenanceFingerprints?: readonly string[];
  readonly console?: InstanceConsole | undefined;
  readonly timeoutSeconds: number;
}

/** The resource's id is the machine's instance id. */
interface State {
  readonly fingerprints: readonly string[];
  /** Absent in older releases' states. */
  readonly provenBy?: Proof;
}

/** Checks, creates, reads, updates and deletes `FirstContact`. */
export const firstContactHandler: Handler<Inputs, State> = {
  achieved: { create: "has answered" },

  transient: [
    "node",
    "endpoint",
    "credentials",
    "maintenanceFingerprints",
    "console",
    "timeoutSeconds",
  ],

  check(_olds, news) {
    const { maintenanceFingerprints = [], console } = news;
    return Promise.resolve({
      inputs: { ...news, maintenanceFingerprints, console },
      failures: [
        ...checkTimeout(news.timeoutSeconds),
        ...checkFingerprints("maintenanceFingerprints", maintenanceFingerprints),
        ...checkConsole(console),
      ],
    });
  },

  diff(id, _state, { machineId }) {
    const isOther = isUnknown(machineId) || machineId !== id;
    return { changes: isOther, replaces: isOther ? ["machineId"] : [] };
  },

  async create({ machineId, timeoutSeconds, ...inputs }, progress) {
    const { maintenanceFingerprints: given = [], console, ...machine } = inputs;
    const { fingerprint, provenBy } = await meetMachine({
      machine,
      machineId,
      progress,
      deadline: clock.now() + timeoutSeconds * 1_000,
      accepted: given.length > 0 ? given : undefined,
      proof: console && new ConsoleProof(machine, console),
    });
    const fingerprints = fingerprint === undefined ? [] : [fingerprint];
    return { id: machineId, state: { fingerprints, provenBy } };
  },

  // Only another machine would change it, which is a replacement.
  update: (_id, state) => Promise.resolve(state),
};
