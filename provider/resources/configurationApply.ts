import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { fingerprintText, type KnownText } from "../config/knownText";
import type { Patch } from "../config/patch";
import type { ClientCredentials } from "../pki/clientCredentials";
import { compactCredentials } from "../pki/compactCredentials";
import {
  type CheckFailure,
  type Handler,
  PartialCreateError,
  PartialUpdateError,
} from "../handler";
import { DEFAULT_SETTLED_SECONDS } from "../lifecycle/awaitWell";
import {
  awaitConfiguration,
  deliverConfiguration,
  deliverFirstConfiguration,
} from "../lifecycle/deliverConfiguration";
import {
  APPLY_MODES,
  type ApplyMode,
  type Delivery,
  FIRST_DELIVERIES,
  type FirstDelivery,
} from "../lifecycle/delivery";
import type { EtcdMachine } from "../lifecycle/etcdMachine";
import { findDrift } from "../lifecycle/findDrift";
import { leaveEtcd } from "../lifecycle/leaveEtcd";
import { machinesOfRun } from "../lifecycle/machinesOfRun";
import { noteControlPlane } from "../lifecycle/noteControlPlane";
import { resetMachine } from "../lifecycle/resetMachine";
import { takeOverFrom } from "../lifecycle/takeOverFrom";
import { describeLeftMachine, type Takeover, TAKEOVERS } from "../lifecycle/takeOverMachine";
import { checkTimeout } from "../checkTimeout";
import {
  checkOnDestroy,
  effectiveOnDestroy,
  ON_DESTROY_VARIABLE,
  type OnDestroy,
} from "../onDestroy";
import type { Progress } from "../progress";
import { readPatchArgument } from "../readPatchFiles";
import type { RedactedConfiguration } from "../renderConfiguration";
import {
  outlineMachineConfiguration,
  renderMachineConfiguration,
} from "../renderMachineConfiguration";
import { TalosResource } from "../talosResource";
import { isUnknown } from "../unknown";
import { becomeWell, checkSettled, partly, type Wellness } from "./applyWellness";

export interface ConfigurationApplyArgs {
  /**
   * What machine this is: its EC2 instance id. Another id is another machine, which has no
   * configuration yet: the resource is replaced.
   */
  readonly machineId: pulumi.Input<string>;
  /** Address of the machine. */
  readonly node: pulumi.Input<string>;
  /**
   * The Talos API to dial, when it isn't the machine's own: a control plane that forwards. The
   * first configuration can't be forwarded: a machine without one is dialled at `node`.
   * Default: `node`.
   */
  readonly endpoint?: pulumi.Input<string>;
  /**
   * Where the other machines of the cluster find it: its address inside the network, also when that is
   * `node`. A control plane machine that is gone for good is found in etcd by it, when `onDestroy`
   * says that it leaves. Default: `node`, and where etcd knows none of that address the machine is
   * waited for.
   */
  readonly privateAddress?: pulumi.Input<string>;
  /**
   * `ClientConfiguration.credentials`. They are kept, encrypted, as `refresh` and `destroy` need
   * them: take ones that live as long as the machine does.
   */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** `MachineConfiguration.machineConfiguration`. */
  readonly machineConfiguration: pulumi.Input<string>;
  /**
   * `MachineConfiguration.redactedConfiguration`: what a first preview shows, when there is no
   * configuration yet. Default: then it shows nothing.
   */
  readonly redactedConfiguration?: pulumi.Input<RedactedConfiguration>;
  /**
   * Patches for this machine alone, applied after those of its role, in the forms that
   * `MachineConfiguration` takes. Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /**
   * How the machine gets its first configuration: `apply`, over the API, unauthenticated if it waits
   * for one in maintenance mode; or `userData`: it has booted with it, and is never trusted without a
   * certificate. Default: `apply`.
   */
  readonly delivery?: pulumi.Input<FirstDelivery>;
  /**
   * How another configuration than the first is taken: `auto`, `noReboot`, `reboot` or `staged`.
   * Default: `auto`, which reboots the machine when Talos has to.
   */
  readonly mode?: pulumi.Input<ApplyMode>;
  /**
   * What is done to a machine that is configured already when this resource is made, and runs something
   * else; no preview can know that, as none contacts machines:
   *
   * - `look`: nothing. What differs is a warning, `pulumi preview --refresh` then shows it line by line,
   *   and the next `up` changes it;
   * - `noReboot`: what needs no reboot is changed at once. Otherwise nothing is, and the `up` fails with
   *   what differs; the machine is recorded, and the next `up` changes it;
   * - `auto`: it is changed at once, with a reboot where Talos has to.
   *
   * Machines with their configuration by user data have just been made: `auto`. Default: `noReboot`.
   */
  readonly takeover?: pulumi.Input<Takeover>;
  /**
   * What becomes of the machine when this resource is deleted. Default: nothing. The environment
   * variable `TALOS_AWS_ON_DESTROY` says otherwise for one run: `none`, or JSON of the same shape.
   */
  readonly onDestroy?: pulumi.Input<OnDestroy>;
  /** How long to wait until the machine runs the configuration and is well. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
  /**
   * How long a machine has to stay well after a change until that counts as done. More of it finds what
   * fails late; every change takes so much longer. Seconds. Default: 5.
   */
  readonly settledSeconds?: pulumi.Input<number>;
}

/**
 * One machine runs one configuration. Done when the machine itself says so, and is well again: after a
 * change its services and static pods were started with it, are ready and stay so (`settledSeconds`), and
 * so is its node. A machine that never was up needs only run the configuration, as the first one of a
 * cluster waits for its bootstrap; a staged configuration changes nothing yet. A change that fails at the
 * deadline is recorded, as the machine has it: the next `up` waits again, or takes it back.
 *
 * `pulumi refresh` finds what somebody else changed, and the next `up` takes it back; a machine that
 * doesn't answer is warned of, and stays recorded as it was.
 *
 * A machine is trusted without a certificate only for its very first configuration, while it is
 * in maintenance mode and this resource doesn't exist yet: whoever answers at its address then
 * gets the configuration, keys and all, so the firewall must let only operators in. From then on
 * every call is mutual TLS with the cluster's certificate authority.
 *
 * A preview shows line by line what changes on the machine. The state keeps of the configuration
 * only what that takes: `ignoreChanges` can't name `machineConfiguration`, `patches` and the like.
 */
export class ConfigurationApply extends TalosResource {
  declare public readonly node: pulumi.Output<string>;
  /**
   * SHA-256, hex, of the meaning of the configuration that the machine runs. Not known in the
   * preview of a change.
   */
  declare public readonly configurationHash: pulumi.Output<string>;

  constructor(name: string, args: ConfigurationApplyArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      machineId: args.machineId,
      node: args.node,
      endpoint: args.endpoint ?? args.node,
      privateAddress: args.privateAddress,
      credentials: pulumi.secret(args.credentials),
      machineConfiguration: pulumi.secret(args.machineConfiguration),
      patches: readPatchArgument(args.patches ?? []),
      delivery: args.delivery ?? "apply",
      mode: args.mode ?? "auto",
      takeover: args.takeover,
      onDestroy: args.onDestroy,
      timeoutSeconds: args.timeoutSeconds ?? 600,
      settledSeconds: args.settledSeconds ?? DEFAULT_SETTLED_SECONDS,
      configurationHash: undefined,
      redactedConfiguration: args.redactedConfiguration ?? "",
    };
    super("ConfigurationApply", name, props, ["credentials", "machineConfiguration"], opts);
  }
}

interface Inputs {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly privateAddress?: string;
  readonly credentials: ClientCredentials;
  readonly machineConfiguration: string;
  readonly patches: readonly Patch[];
  readonly delivery?: FirstDelivery;
  readonly mode: ApplyMode;
  /** Default: see `ConfigurationApplyArgs`. */
  readonly takeover?: Takeover;
  readonly onDestroy?: OnDestroy;
  readonly timeoutSeconds: number;
  /** Default: `DEFAULT_SETTLED_SECONDS`. */
  readonly settledSeconds?: number;
  /**
   * Given as that of the role, if at all; `check` makes that of the machine of it. Kept as an input
   * alone, by which the engine shows in previews what changes, and in refreshes what has.
   */
  readonly redactedConfiguration: unknown;
  /** Computed by `check`. */
  readonly configurationHash?: string;
  /** Computed by `check`: the YAML documents. Secret. */
  readonly renderedConfiguration?: string;
}

/** The resource's id says which machine it is. */
interface State {
  readonly node: string;
  readonly endpoint: string;
  readonly privateAddress?: string;
  readonly configurationHash: string;
  /** Of its text; absent while it isn't proven that the machine runs it, and in older releases' states. */
  readonly configurationFingerprint?: string;
  /** Compact, but for those that an older release recorded. */
  readonly credentials: ClientCredentials;
  readonly onDestroy?: OnDestroy;
  readonly timeoutSeconds: number;
  /**
   * Whether the machine was well with its configuration; `awaited` when it has taken that and has not been
   * well since. Absent while it never had to be, and in older releases' states.
   */
  readonly wellness?: Wellness;
  /**
   * Given of a machine that was left with the configuration that it had: the recorded inputs say what it
   * was to have, until a refresh has them say what it has.
   */
  readonly isLeft?: true;
}

/**
 * The hash of a machine that has accepted its first configuration and not shown yet that it runs it.
 * It may have lost it, as one does whose installation fails, and be in maintenance mode again: the
 * next run goes on as the first did.
 */
const UNPROVEN = "";

const transient = [
  "credentials",
  "machineConfiguration",
  "patches",
  "delivery",
  "mode",
  "takeover",
  "timeoutSeconds",
  "settledSeconds",
  "configurationHash",
  "renderedConfiguration",
] as const;

/** What a program need not give. */
const optional: readonly string[] = [
  "configurationHash",
  "renderedConfiguration",
  "delivery",
  "takeover",
  "settledSeconds",
];

export const configurationApplyHandler: Handler<Inputs, State> = {
  transient,

  check(olds, news) {
    const missing = transient.filter((name) => !optional.includes(name) && !(name in news));
    if (missing.length > 0) {
      const failures = missing.map((property) => ({
        property,
        reason: `it is missing, which "ignoreChanges" makes it: take it out of there`,
      }));
      return Promise.resolve({ inputs: news, failures });
    }
    const failures = [
      ...checkTimeout(news.timeoutSeconds),
      ...checkSettled(news.settledSeconds),
      ...checkWord("mode", news.mode, Object.keys(APPLY_MODES)),
      ...checkWord("delivery", news.delivery ?? "apply", FIRST_DELIVERIES),
      ...checkWord("takeover", takeoverOf(news), TAKEOVERS),
      ...checkOnDestroy(news.onDestroy),
    ];
    if (news.onDestroy?.leaveEtcd === true) {
      noteControlPlane(olds ?? {}, news);
    }
    const result = renderMachineConfiguration(news);
    if ("failures" in result) {
      return Promise.resolve({ inputs: news, failures: [...failures, ...result.failures] });
    }
    const { text, hash, redacted } = result.rendered;
    const inputs = {
      ...news,
      delivery: news.delivery ?? "apply",
      takeover: takeoverOf(news),
      settledSeconds: news.settledSeconds ?? DEFAULT_SETTLED_SECONDS,
      configurationHash: hash,
      renderedConfiguration: text,
      redactedConfiguration: redacted,
    };
    return Promise.resolve({ inputs, failures });
  },

  diff(id, state, news) {
    const isRefresh = !Object.hasOwn(news, "configurationHash");
    if (isRefresh) {
      return {};
    }
    const isOtherMachine = isUnknown(news.machineId) || news.machineId !== id;
    // Other credentials, also ones that a preview doesn't know yet, are no reason to touch a
    // machine: they are used when it is touched.
    return {
      changes:
        isOtherMachine ||
        news.configurationHash !== state.configurationHash ||
        state.wellness === "awaited" ||
        news.node !== state.node ||
        news.endpoint !== state.endpoint ||
        news.privateAddress !== state.privateAddress ||
        !isDeepStrictEqual(news.onDestroy, state.onDestroy),
      replaces: isOtherMachine ? ["machineId"] : [],
    };
  },

  async create(inputs, progress) {
    const delivery = { ...deliveryOf(inputs, progress), takeover: takeoverOf(inputs) };
    const acceptance = await deliverFirstConfiguration(delivery);
    if (acceptance.left !== undefined) {
      const message = describeLeftMachine(inputs.node, acceptance.left);
      const state: State = { ...stateOf(inputs, acceptance.left.text), isLeft: true };
      if (delivery.takeover === "look") {
        progress.warn(message);
        return { id: inputs.machineId, state };
      }
      throw new PartialCreateError(message, inputs.machineId, state);
    }
    try {
      await awaitConfiguration(delivery, acceptance);
      const predecessor = machinesOfRun.predecessorOf(inputs.machineId);
      if (predecessor !== undefined) {
        await takeOverFrom(predecessor, inputs, delivery.deadline, progress);
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const state = stateOf(inputs, { hash: UNPROVEN });
      throw new PartialCreateError(message, inputs.machineId, state, { cause: error });
    }
    const state = stateOf(inputs, textOf(delivery));
    try {
      // What was running before is taken over; what was empty is well when it runs its configuration.
      const isTakenOver = acceptance.missingBefore !== undefined;
      const wellness = isTakenOver
        ? await becomeWell(inputs.settledSeconds, delivery, acceptance)
        : undefined;
      return { id: inputs.machineId, state: { ...state, ...(wellness && { wellness }) } };
    } catch (error) {
      throw new PartialCreateError(...partly(error, inputs.machineId, state));
    }
  },

  async read(machineId, state, progress) {
    const { configurationHash: hash, configurationFingerprint: fingerprint, isLeft } = state;
    // Of no configuration, every one differs.
    const recorded = isLeft ? { hash: "" } : { hash, ...(fingerprint && { fingerprint }) };
    const found = await findDrift(state, recorded, progress);
    if (found === undefined) {
      return { state };
    }
    const redactedConfiguration = outlineMachineConfiguration(found.documents);
    const { node, endpoint, privateAddress, onDestroy } = state;
    return {
      state: { ...stateOf(state, found.text), ...(state.wellness && { wellness: state.wellness }) },
      inputs: {
        machineId,
        node,
        endpoint,
        ...(privateAddress !== undefined && { privateAddress }),
        redactedConfiguration,
        ...(onDestroy && { onDestroy }),
      },
    };
  },

  async update(id, state, news, progress) {
    const delivery = { ...deliveryOf(news, progress), former: formerText(state) };
    const isSame =
      state.configurationHash === delivery.hash &&
      state.node === news.node &&
      state.endpoint === news.endpoint;
    const next = stateOf(news, textOf(delivery));
    const { wellness: before } = state;
    if (isSame && before !== "awaited") {
      return { ...next, ...(before && { wellness: before }) };
    }
    const isUnproven = state.configurationHash === UNPROVEN;
    const acceptance = await (isUnproven ? deliverFirstConfiguration : deliverConfiguration)(
      delivery,
    );
    try {
      await awaitConfiguration(delivery, acceptance);
      const wellness = await becomeWell(news.settledSeconds, delivery, acceptance, before);
      return { ...next, ...(wellness && { wellness }) };
    } catch (error) {
      if (isUnproven) {
        throw error;
      }
      throw new PartialUpdateError(...partly(error, id, next));
    }
  },

  async delete(machineId, state, progress) {
    const onDestroy = effectiveOnDestroy(state.onDestroy, process.env[ON_DESTROY_VARIABLE]);
    const deadline = Date.now() + state.timeoutSeconds * 1_000;
    if (onDestroy.leaveEtcd === true && !machinesOfRun.isGoing(state.node)) {
      await leave({ ...state, machineId }, deadline, progress);
    }
    if (onDestroy.reset !== true) {
      return;
    }
    try {
      await resetMachine(state, onDestroy, deadline, progress.report);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(
        `machine ${state.node} was not reset: ${message}. To leave it as it is, run the command again with ${ON_DESTROY_VARIABLE}=none; where the cluster is gone, a reset with "graceful": false may succeed`,
        { cause: error },
      );
    }
  },
};

async function leave(machine: EtcdMachine, deadline: number, progress: Progress): Promise<void> {
  try {
    await leaveEtcd(machine, machinesOfRun.stayingWith(machine), deadline, progress);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(
      `machine ${machine.node} was not taken out of etcd: ${message}. Where it is gone for good, take its member out with "talosctl etcd remove-member" on another machine, and run the command again with ${ON_DESTROY_VARIABLE}=none, which also goes on where the whole cluster is to go`,
      { cause: error },
    );
  }
}

function checkWord(property: string, value: unknown, allowed: readonly string[]): CheckFailure[] {
  return isUnknown(value) || allowed.includes(String(value))
    ? []
    : [{ property, reason: `"${String(value)}" is none of ${allowed.join(", ")}` }];
}

function takeoverOf({ takeover, delivery }: Inputs): Takeover {
  return takeover ?? (delivery === "userData" ? "auto" : "noReboot");
}

function deliveryOf(inputs: Inputs, progress: Progress): Delivery {
  const { renderedConfiguration: text, configurationHash: hash } = inputs;
  if (text === undefined || hash === undefined) {
    throw new Error("the configuration was not rendered in this run: run the command again");
  }
  const deadline = Date.now() + inputs.timeoutSeconds * 1_000;
  const { delivery: first = "apply", mode } = inputs;
  return { machine: inputs, text, hash, first, mode, deadline, progress };
}

function textOf({ text, hash }: Delivery): KnownText {
  return { fingerprint: fingerprintText(text), hash };
}

function formerText(state: State): KnownText | undefined {
  const { configurationHash: hash, configurationFingerprint: fingerprint } = state;
  return fingerprint === undefined ? undefined : { fingerprint, hash };
}

function stateOf(
  machine: Omit<State, "configurationHash" | "configurationFingerprint" | "wellness" | "isLeft">,
  { hash, fingerprint }: Pick<KnownText, "hash"> & Partial<KnownText>,
): State {
  const { node, endpoint, privateAddress, credentials } = machine;
  const { onDestroy, timeoutSeconds } = machine;
  return {
    node,
    endpoint,
    ...(privateAddress !== undefined && { privateAddress }),
    configurationHash: hash,
    ...(fingerprint && { configurationFingerprint: fingerprint }),
    credentials: compactCredentials(credentials),
    ...(onDestroy && { onDestroy }),
    timeoutSeconds,
  };
}
