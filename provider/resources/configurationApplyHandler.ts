import { isDeepStrictEqual } from "node:util";
import { isCertificateFingerprint } from "../api/maintenanceServers";
import { fingerprintText, type KnownText } from "../config/knownText";
import type { Patch } from "../config/patch";
import { unheededChanges } from "../config/unheededChanges";
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
  type Acceptance,
  APPLY_MODES,
  type ApplyMode,
  type Delivery,
  FIRST_DELIVERIES,
  type FirstDelivery,
} from "../lifecycle/delivery";
import { FirstTrust } from "../lifecycle/firstTrust";
import { endMachine } from "../lifecycle/endMachine";
import { findDrift } from "../lifecycle/findDrift";
import { describeLeftMachine, type Takeover, TAKEOVERS } from "../lifecycle/takeOverMachine";
import { checkTimeout } from "../checkTimeout";
import { clock } from "../clock";
import { checkOnDestroy, ON_DESTROY_VARIABLE, type OnDestroy } from "../onDestroy";
import type { Progress } from "../progress";
import {
  isOutline,
  outlineMachineConfiguration,
  renderMachineConfiguration,
} from "../renderMachineConfiguration";
import { isUnknown } from "../unknown";
import { becomeWell, checkSettled, partly, type Wellness } from "./applyWellness";

interface Inputs {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly privateAddress?: string;
  readonly credentials: ClientCredentials;
  readonly machineConfiguration: string;
  readonly patches: readonly Patch[];
  readonly delivery?: FirstDelivery;
  readonly maintenanceFingerprints?: readonly string[];
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
  /** Of the server that got the first configuration, while it isn't proven that the machine runs it. */
  readonly maintenanceFingerprint?: string;
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
 * The hash of a machine that may have got its first configuration and has not shown yet that it runs it.
 * It may have lost it, as one does whose installation fails, and be in maintenance mode again. The next
 * run talks to it over mutual TLS, and without only to the server that got the configuration before.
 */
const UNPROVEN = "";

const transient = [
  "credentials",
  "machineConfiguration",
  "patches",
  "delivery",
  "maintenanceFingerprints",
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
  "maintenanceFingerprints",
  "takeover",
  "settledSeconds",
];

/** Gives machines their configurations; `ConfigurationApply` says what it promises. */
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
      ...checkFingerprints(news.maintenanceFingerprints),
      ...checkOnDestroy(news.onDestroy),
    ];
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
      maintenanceFingerprints: news.maintenanceFingerprints ?? [],
      configurationHash: hash,
      renderedConfiguration: text,
      redactedConfiguration: redacted,
    };
    return Promise.resolve({ inputs, failures, warnings: warningsOf(olds, inputs) });
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
    const { maintenanceFingerprints: known = [] } = inputs;
    const trust = new FirstTrust(known.length > 0 ? known : undefined);
    const delivery = { ...deliveryOf(inputs, progress), takeover: takeoverOf(inputs), trust };
    let acceptance: Acceptance | undefined;
    try {
      acceptance = await deliverFirstConfiguration(delivery);
      if (acceptance.left === undefined) {
        await awaitConfiguration(delivery, acceptance);
      }
    } catch (error) {
      const { handedTo } = trust;
      if (acceptance === undefined && handedTo === undefined) {
        throw error;
      }
      const message = error instanceof Error ? error.message : String(error);
      const state = {
        ...stateOf(inputs, { hash: UNPROVEN }),
        ...(handedTo !== undefined && { maintenanceFingerprint: handedTo }),
      };
      throw new PartialCreateError(message, inputs.machineId, state, { cause: error });
    }
    if (acceptance.left !== undefined) {
      const message = describeLeftMachine(inputs.node, acceptance.left);
      const left: State = { ...stateOf(inputs, acceptance.left.text), isLeft: true };
      if (delivery.takeover === "look") {
        progress.warn(message);
        return { id: inputs.machineId, state: left };
      }
      throw new PartialCreateError(message, inputs.machineId, left);
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
    const known = [state.maintenanceFingerprint ?? [], news.maintenanceFingerprints ?? []].flat();
    const acceptance = await (isUnproven
      ? deliverFirstConfiguration({ ...delivery, trust: new FirstTrust(known, false) })
      : deliverConfiguration(delivery));
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
    const { onDestroy, timeoutSeconds } = state;
    const deadline = clock.now() + timeoutSeconds * 1_000;
    const override = process.env[ON_DESTROY_VARIABLE];
    await endMachine({ ...state, machineId }, onDestroy, override, deadline, progress);
  },
};

function checkFingerprints(fingerprints: readonly string[] | undefined): CheckFailure[] {
  if (fingerprints === undefined || isUnknown(fingerprints)) {
    return [];
  }
  return fingerprints
    .filter((each) => !isUnknown(each) && !isCertificateFingerprint(each))
    .map((each) => ({
      property: "maintenanceFingerprints",
      reason: `"${each}" is no fingerprint of a certificate: give the 44 characters that the machine's console prints after --cert-fingerprint`,
    }));
}

/** What the machine will make nothing of; of one that is new, little is known to be so. */
function warningsOf(olds: Partial<Inputs> | undefined, news: Inputs): readonly string[] {
  const before =
    olds?.machineId === news.machineId && isOutline(olds.redactedConfiguration)
      ? olds.redactedConfiguration
      : undefined;
  const after = news.redactedConfiguration;
  return isOutline(after) ? unheededChanges(before, after).map(({ reason }) => reason) : [];
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
  const deadline = clock.now() + inputs.timeoutSeconds * 1_000;
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
