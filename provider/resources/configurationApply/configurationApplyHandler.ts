import { isDeepStrictEqual } from "node:util";
import { clock } from "../../base/clock";
import { messageOfError } from "../../base/messageOfError";
import type { Progress } from "../../base/progress";
import { isUnknown } from "../../base/unknown";
import { type Handler, PartialCreateError } from "../../engine/handler";
import { deletesCluster, ON_DESTROY_VARIABLE } from "../../engine/onDestroy";
import { ConsoleProof } from "../../lifecycle/delivery/consoleProof";
import {
  awaitConfiguration,
  deliverFirstConfiguration,
} from "../../lifecycle/delivery/deliverConfiguration";
import type { Acceptance, Delivery } from "../../lifecycle/delivery/delivery";
import { findDrift } from "../../lifecycle/delivery/findDrift";
import { FirstTrust } from "../../lifecycle/delivery/firstTrust";
import { isMetNow } from "../../lifecycle/delivery/meetMachine";
import { describeLeftMachine } from "../../lifecycle/delivery/takeOverMachine";
import { DEFAULT_SETTLED_SECONDS } from "../../lifecycle/health/awaitHealthy";
import { endMachine } from "../../lifecycle/leaving/endMachine";
import { latestCredentials, mustRecordAgain } from "../../lifecycle/rotation/renewedCredentials";
import { hideMarked, hideMarkedIn } from "../../render/renderConfiguration";
import {
  isOutline,
  outlineMachineConfiguration,
  renderMachineConfiguration,
} from "../../render/renderMachineConfiguration";
import { isOtherRevision, isRevisedTwice } from "../configurationRevision";
import { bornOtherwiseAfter, bornOtherwiseThan, judgeTakeover } from "./applyBirth";
import { changeMachine, deliveryOf } from "./applyChange";
import { checkChoices, isMarkable, takeoverOf, upgradeTimeoutOf } from "./applyChecks";
import { isOtherDrain, NodeDrain, removeMachineNode } from "./applyDrain";
import { importMachine, NO_HASH } from "./applyImport";
import {
  type ApplyInputs,
  type ApplyState,
  formerText,
  stateOf,
  talosOf,
  textOf,
  UNPROVEN,
} from "./applyRecord";
import { bootedSystem, declaredSystem, needsUpgrade } from "./applyUpgrade";
import { judgeApply } from "./judgeApply";
import {
  awaitRecordedHealth,
  isUnsettled,
  partly,
  wasUpOnce,
  healthAfterDrift,
} from "./recordedHealth";

const transient = [
  "credentials",
  "machineConfiguration",
  "patches",
  "markedValues",
  "revision",
  "machineRevision",
  "delivery",
  "maintenanceFingerprints",
  "firstContact",
  "console",
  "mode",
  "takeover",
  "upgradeTalos",
  "upgradeTimeoutSeconds",
  "drain",
  "acceptedChanges",
  "manifestsFollow",
  "timeoutSeconds",
  "settledSeconds",
  "configurationHash",
  "renderedConfiguration",
  "roleOutline",
] as const;

/** Transient inputs that a program may leave out. */
const optional: readonly string[] = [
  "markedValues",
  "configurationHash",
  "renderedConfiguration",
  "roleOutline",
  "revision",
  "machineRevision",
  "delivery",
  "maintenanceFingerprints",
  "firstContact",
  "console",
  "takeover",
  "upgradeTalos",
  "upgradeTimeoutSeconds",
  "drain",
  "acceptedChanges",
  "manifestsFollow",
  "settledSeconds",
];

/** The handler of `ConfigurationApply`. */
export const configurationApplyHandler: Handler<ApplyInputs, ApplyState> = {
  achieved: {
    create: "configured",
    update: "healthy with its configuration",
    delete: "out of the cluster",
  },

  transient,
  isMarkable,
  computed: ["redactedConfiguration", "talosSystem", "bornOtherwise"],

  check(olds, news) {
    const missing = transient.filter((name) => !optional.includes(name) && !(name in news));
    if (missing.length > 0) {
      const failures = missing.map((property) => ({
        property,
        reason: `it is missing because "ignoreChanges" names it: remove it there`,
      }));
      return Promise.resolve({ inputs: news, failures });
    }
    const failures = checkChoices(news);
    const { machineConfiguration, patches, roleOutline, markedValues: marked = [] } = news;
    const result = renderMachineConfiguration({
      machineConfiguration,
      patches,
      roleOutline,
      marked,
    });
    if ("failures" in result) {
      return Promise.resolve({ inputs: news, failures: [...failures, ...result.failures] });
    }
    const { text, hash, outline, marked: markedValues } = result.rendered;
    const talosSystem = declaredSystem(news, isOutline(outline) ? outline : undefined);
    const bornOtherwise = bornOtherwiseAfter(olds, news.machineId, outline);
    const inputs = {
      ...news,
      markedValues,
      delivery: news.delivery ?? "apply",
      takeover: takeoverOf(news),
      upgradeTalos: news.upgradeTalos ?? true,
      upgradeTimeoutSeconds: upgradeTimeoutOf(news),
      drain: news.drain,
      revision: news.revision,
      machineRevision: news.machineRevision,
      acceptedChanges: news.acceptedChanges,
      manifestsFollow: news.manifestsFollow ?? false,
      settledSeconds: news.settledSeconds ?? DEFAULT_SETTLED_SECONDS,
      maintenanceFingerprints: news.maintenanceFingerprints ?? [],
      firstContact: news.firstContact,
      console: news.console,
      configurationHash: hash,
      renderedConfiguration: text,
      roleOutline,
      redactedConfiguration: outline,
      ...(talosSystem && { talosSystem }),
      ...(bornOtherwise && { bornOtherwise }),
    };
    const verdict = judgeApply(olds, news, inputs);
    failures.push(...hideMarked(verdict.failures, markedValues));
    const warnings = hideMarkedIn(verdict.warnings, markedValues);
    return Promise.resolve({ inputs, failures, warnings });
  },

  diff(id, state, news) {
    const isRefresh = !Object.hasOwn(news, "configurationHash");
    if (isRefresh) {
      return {};
    }
    const isOtherMachine = isUnknown(news.machineId) || news.machineId !== id;
    // Checked first, because it refuses unsupported upgrades, whatever else changes.
    const isUpgraded = !isOtherMachine && needsUpgrade(state.talosSystem, news.talosSystem);
    return {
      changes:
        isOtherMachine ||
        mustRecordAgain(state.credentials, news.credentials) ||
        news.configurationHash !== state.configurationHash ||
        isUnsettled(state.wellness) ||
        isOtherRevision("content", state, news) ||
        isUpgraded ||
        news.node !== state.node ||
        news.endpoint !== state.endpoint ||
        news.privateAddress !== state.privateAddress ||
        isOtherDrain(state.drain, news.drain) ||
        !isDeepStrictEqual(news.onDestroy, state.onDestroy),
      replaces: isOtherMachine ? ["machineId"] : [],
    };
  },

  async create(inputs, progress) {
    const trust = trustOf(inputs);
    const delivery = {
      ...deliveryOf(inputs, progress),
      takeover: takeoverOf(inputs),
      trust,
      judgeRunning: birthJudge(inputs, progress),
    };
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
      const message = messageOfError(error);
      const state = {
        ...stateOf(inputs, { hash: UNPROVEN }),
        ...(handedTo !== undefined && { maintenanceFingerprint: handedTo }),
      };
      throw new PartialCreateError(message, inputs.machineId, state, { cause: error });
    }
    if (acceptance.left !== undefined) {
      const message = describeLeftMachine(inputs.node, acceptance.left);
      const left: ApplyState = { ...stateOf(inputs, acceptance.left.text), isLeft: true };
      if (delivery.takeover === "look") {
        progress.warn(message);
        return { id: inputs.machineId, state: left };
      }
      throw new PartialCreateError(message, inputs.machineId, left);
    }
    const { talosSystem: declared } = inputs;
    const talosSystem = declared && (await bootedSystem(inputs, declared, progress));
    const state = {
      ...stateOf(inputs, textOf(delivery)),
      ...talosOf(inputs, talosSystem),
    };
    try {
      // A machine that ran before must be healthy again. A new one only has to run its
      // configuration.
      const isTakenOver = acceptance.missingBefore !== undefined;
      const wellness = isTakenOver
        ? await awaitRecordedHealth(inputs.settledSeconds, delivery, acceptance)
        : undefined;
      return { id: inputs.machineId, state: { ...state, ...(wellness && { wellness }) } };
    } catch (error) {
      throw new PartialCreateError(...partly(error, inputs.machineId, state));
    }
  },

  async read(machineId, state, progress) {
    const { configurationHash: hash, configurationFingerprint: fingerprint, isLeft } = state;
    const system = state.leavesTalos ? "unheeded" : state.talosSystem;
    const found = await findDrift(
      state,
      isLeft ? { hash: NO_HASH, system } : { hash, ...(fingerprint && { fingerprint }), system },
      progress,
    );
    if (found === undefined) {
      return { state };
    }
    const redactedConfiguration = outlineMachineConfiguration(found.documents, state.markedValues);
    const { node, endpoint, privateAddress, onDestroy } = state;
    const talosSystem = found.system && { talosSystem: found.system };
    const bornOtherwise = bornOtherwiseThan(state.bornWith, redactedConfiguration);
    // A machine that is only proven now to run its first configuration may wait for its bootstrap.
    const wellness = hash === UNPROVEN ? state.wellness : healthAfterDrift(state.wellness);
    return {
      state: {
        ...stateOf(state, found.text),
        ...(wellness && { wellness }),
        ...talosSystem,
        ...(state.isTalosUnsure && { isTalosUnsure: true }),
        redactedConfiguration,
      },
      inputs: {
        machineId,
        node,
        endpoint,
        ...(privateAddress !== undefined && { privateAddress }),
        redactedConfiguration,
        ...(onDestroy && { onDestroy }),
        ...talosSystem,
        ...(bornOtherwise && { bornOtherwise }),
      },
    };
  },

  import: importMachine,

  async update(id, recorded, news, progress) {
    const state = await lookIfRevisedTwice(id, recorded, news, progress);
    const delivery = {
      ...deliveryOf(news, progress),
      former: formerText(state),
      // What is recorded of a machine that was left is not what it has.
      ...(state.isLeft && { judgeRunning: birthJudge(news, progress) }),
    };
    // Another way to the same machine changes nothing on it.
    const isSame = state.configurationHash === delivery.hash && state.node === news.node;
    const { wellness: before } = state;
    if (isSame && !isUnsettled(before) && !needsUpgrade(state.talosSystem, news.talosSystem)) {
      return {
        ...stateOf(news, textOf(delivery)),
        ...talosOf(news, state.talosSystem),
        ...(before && { wellness: before }),
      };
    }
    const drain = new NodeDrain(news, wasUpOnce(before), progress);
    try {
      return await changeMachine(id, state, news, { delivery, drain, progress });
    } finally {
      await drain.end();
    }
  },

  async delete(machineId, state, progress) {
    const { onDestroy, timeoutSeconds } = state;
    const deadline = clock.now() + timeoutSeconds * 1_000;
    const override = process.env[ON_DESTROY_VARIABLE];
    const goes = deletesCluster();
    const credentials = latestCredentials(state.credentials);
    const machine = { ...state, machineId, credentials };
    if (!goes) {
      await removeMachineNode(machine, progress);
    }
    const how = { override, deletesCluster: goes, deadline };
    await endMachine(machine, onDestroy, how, progress);
  },
};

/** Judges a running machine's configuration once, however often its delivery is tried. */
function birthJudge(inputs: ApplyInputs, progress: Progress): Delivery["judgeRunning"] {
  let isTold = false;
  return (running) => {
    const warnings = judgeTakeover(inputs, running);
    if (!isTold) {
      warnings.forEach((warning) => progress.warn(`machine ${inputs.node}: ${warning}`));
    }
    isTold = true;
  };
}

/**
 * Which server may get the first configuration in a create. If another run has recorded the first
 * contact, that run may have been killed after it had sent the configuration. Then no other server
 * gets it. What the console proves is the machine itself, whatever was sent before.
 */
function trustOf(inputs: ApplyInputs): FirstTrust {
  const { machineId, maintenanceFingerprints = [], firstContact, console } = inputs;
  if (maintenanceFingerprints.length > 0) {
    return new FirstTrust(maintenanceFingerprints);
  }
  if (console !== undefined) {
    return new FirstTrust([], "first", new ConsoleProof(inputs, console));
  }
  return firstContact === undefined || isMetNow(machineId)
    ? new FirstTrust(undefined)
    : new FirstTrust(firstContact, "met");
}

/**
 * What is recorded of a machine, as a refresh would find it, if a run before may have changed it and
 * did not record that. Such a run may also have left its node cordoned, or the machine unhealthy.
 */
async function lookIfRevisedTwice(
  id: string,
  state: ApplyState,
  news: ApplyInputs,
  progress: Progress,
): Promise<ApplyState> {
  if (!isRevisedTwice("content", state, news) || state.configurationHash === UNPROVEN) {
    return state;
  }
  const found = await configurationApplyHandler.read?.(id, state, progress);
  return {
    ...(found?.state ?? state),
    ...(isRevisedTwice("talos", state, news) && { isTalosUnsure: true as const }),
    wellness: healthAfterDrift(state.wellness),
  };
}
