import { clock } from "../../base/clock";
import { messageOfError } from "../../base/messageOfError";
import type { Progress } from "../../base/progress";
import { installerOf } from "../../config/settings/installer";
import { type TalosSystem } from "../../config/talosSystem";
import { PartialUpdateError } from "../../engine/handler";
import { modeForChange } from "../../lifecycle/delivery/bootForChange";
import { ConsoleProof } from "../../lifecycle/delivery/consoleProof";
import {
  awaitConfiguration,
  deliverConfiguration,
  deliverFirstConfiguration,
} from "../../lifecycle/delivery/deliverConfiguration";
import type { Delivery } from "../../lifecycle/delivery/delivery";
import { FirstTrust } from "../../lifecycle/delivery/firstTrust";
import { judgeRunning } from "../../lifecycle/delivery/takeOverMachine";
import { awaitRestart } from "../../lifecycle/etcd/awaitEtcd";
import { DEFAULT_SETTLED_SECONDS } from "../../lifecycle/health/awaitHealthy";
import { withMachine } from "../../lifecycle/machine";
import { unlessSilent } from "../../lifecycle/silence";
import { imagesBeforeTalos } from "../../lifecycle/upgrade/imagesBeforeTalos";
import { upgradeMachine } from "../../lifecycle/upgrade/upgradeMachine";
import { isOutline } from "../../render/renderMachineConfiguration";
import { upgradeTimeoutOf } from "./applyChecks";
import { type NodeDrain, restartsFor } from "./applyDrain";
import {
  type ApplyInputs,
  type ApplyState,
  stateOf,
  talosOf,
  textOf,
  UNPROVEN,
} from "./applyRecord";
import { manuallyChosenSystem, needsUpgrade, talosAfterFailure } from "./applyUpgrade";
import { awaitRecordedHealth, partly, healthAfterDrift } from "./recordedHealth";

/** The context of a machine's update. */
export interface MachineChange {
  readonly delivery: Delivery;
  readonly drain: NodeDrain;
  readonly progress: Progress;
}

/**
 * Upgrades a machine and applies its configuration, if they differ.
 *
 * @throws PartialUpdateError if that failed after the machine may have changed. The next run then
 *   looks at it, also if the program is taken back
 */
export async function changeMachine(
  id: string,
  state: ApplyState,
  news: ApplyInputs,
  change: MachineChange,
): Promise<ApplyState> {
  const begun: Begun = { isBegun: false, isTalosUnsure: state.isTalosUnsure === true };
  const begin = () => {
    begun.isBegun = true;
  };
  const delivery = { ...change.delivery, mayHaveArrived: begin };
  try {
    return await stepByStep(id, state, news, { ...change, delivery }, begun);
  } catch (error) {
    if (!begun.isBegun || error instanceof PartialUpdateError) {
      throw error;
    }
    const { isTalosUnsure: _, ...known } = state;
    const reached = {
      ...known,
      ...(await talosAfterFailure(state, news)),
      ...(begun.isTalosUnsure && { isTalosUnsure: true }),
    };
    const message = messageOfError(error);
    const wellness = healthAfterDrift(state.wellness);
    throw new PartialUpdateError(message, id, { ...reached, wellness }, { cause: error });
  }
}

/** How far a machine's update has come. */
interface Begun {
  /** Whether the machine may have changed before its configuration. */
  isBegun: boolean;
  /** Whether its next boot may be with another Talos than it runs. */
  isTalosUnsure: boolean;
}

async function stepByStep(
  id: string,
  state: ApplyState,
  news: ApplyInputs,
  { delivery: asked, drain, progress }: MachineChange,
  begun: Begun,
): Promise<ApplyState> {
  const isUnproven = state.configurationHash === UNPROVEN;
  if (asked.judgeRunning !== undefined) {
    await withMachine(asked.machine, (client) => judgeRunning(client, asked, {}));
  }
  // Before the configuration, because that may need the new Talos.
  const running = isUnproven
    ? undefined
    : await upgradeToDeclared(state, news, { drain, progress, begun });
  const delivery = isUnproven ? asked : await judged(asked);
  const next = {
    ...stateOf(news, textOf(delivery)),
    ...talosOf(news, running),
  };
  if (!isUnproven && (await restartsFor(delivery))) {
    await awaitRestart(delivery.machine, delivery.deadline, progress);
    await drain.begin();
  }
  const acceptance = await (isUnproven
    ? deliverFirstConfiguration({ ...delivery, trust: trustAfter(state, news) })
    : deliverConfiguration(delivery));
  try {
    await awaitConfiguration(delivery, acceptance);
    const wellness = await awaitRecordedHealth(
      news.settledSeconds,
      delivery,
      // With its first configuration, a machine may wait for its bootstrap.
      { ...acceptance, hadIt: acceptance.hadIt === true && !isUnproven },
      state.wellness,
    );
    return { ...next, ...(wellness && { wellness }) };
  } catch (error) {
    if (isUnproven) {
      throw error;
    }
    throw new PartialUpdateError(...partly(error, id, next));
  }
}

/** Which server may get the first configuration again. With a console, what was met before proves nothing. */
function trustAfter(state: ApplyState, news: ApplyInputs): FirstTrust {
  const { maintenanceFingerprints: given = [], console } = news;
  return console === undefined
    ? new FirstTrust([state.maintenanceFingerprint ?? [], given].flat(), "sent")
    : new FirstTrust(given, "sent", new ConsoleProof(news, console));
}

/**
 * @param begins called before the first change, also of images
 * @returns the Talos that the machine then runs; undefined if its Talos is not managed here
 */
async function upgradeToDeclared(
  state: ApplyState,
  news: ApplyInputs,
  { drain, progress, begun }: Omit<MachineChange, "delivery"> & { readonly begun: Begun },
): Promise<TalosSystem | undefined> {
  const { talosSystem: target, redactedConfiguration: outline } = news;
  const image = isOutline(outline) ? installerOf(outline) : undefined;
  if (target === undefined || image === undefined || !isOutline(outline)) {
    return undefined;
  }
  if (state.talosSystem === undefined) {
    const other = await manuallyChosenSystem(news, target, progress);
    if (other !== undefined) {
      return other;
    }
  }
  const { talosSystem, isTalosUnsure: mayHoldOther = false } = state;
  if (talosSystem === undefined || mayHoldOther || needsUpgrade(talosSystem, target)) {
    const deadline = clock.now() + upgradeTimeoutOf(news) * 1_000;
    const { settledSeconds = DEFAULT_SETTLED_SECONDS } = news;
    const coming = { machine: news, talosVersion: target.version, settledSeconds };
    const prepare = () => {
      begun.isBegun = true;
      return imagesBeforeTalos({ ...coming, outline, deadline, progress });
    };
    const installs = () => {
      begun.isTalosUnsure = true;
    };
    await upgradeMachine({
      machine: news,
      image,
      target,
      mayHoldOther,
      deadline,
      progress,
      prepare,
      installs,
      beforeRestart: () => drain.begin(),
    });
    begun.isTalosUnsure = false;
  }
  return target;
}

/**
 * The delivery of a later configuration, with a reboot if the change needs one. A machine that
 * doesn't answer now is judged when it does.
 */
async function judged(delivery: Delivery): Promise<Delivery> {
  const mode = await unlessSilent(
    withMachine(delivery.machine, (client) => modeForChange(client, delivery, {})),
  );
  return mode === undefined ? delivery : { ...delivery, mode, isJudged: true };
}

/**
 * The delivery of a machine's configuration, whose deadline begins now.
 *
 * @throws Error if this run has not rendered it
 */
export function deliveryOf(inputs: ApplyInputs, progress: Progress): Delivery {
  const { renderedConfiguration: text, configurationHash: hash } = inputs;
  if (text === undefined || hash === undefined) {
    throw new Error("the configuration was not rendered in this run: run the command again");
  }
  const deadline = clock.now() + inputs.timeoutSeconds * 1_000;
  const { delivery: first = "apply", mode } = inputs;
  return { machine: inputs, text, hash, first, mode, deadline, progress };
}
