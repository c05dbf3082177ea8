import { decodeDocuments } from "../config/encode";
import type { ConfigDocument } from "../config/machineConfig";
import {
  describeSystem,
  installedSystem,
  installerOf,
  isSameSystem,
  systemOfInstaller,
  type TalosSystem,
  upgradePathProblem,
} from "../config/talosSystem";
import type { ApplyMode } from "../lifecycle/delivery";
import type { Machine } from "../lifecycle/machine";
import { readMachineConfig } from "../lifecycle/machineConfigs";
import { unlessSilent } from "../lifecycle/unlessSilent";
import { readSystem } from "../lifecycle/upgradeMachine";
import { withMachine } from "../lifecycle/withMachine";
import type { Progress } from "../progress";

/** How long an upgrade may take by default: a pull, five minutes to drain, an installation and a boot. */
export const DEFAULT_UPGRADE_TIMEOUT_SECONDS = 1_800;

/** What of a machine's inputs says whether its Talos follows its configuration. */
interface UpgradeChoice {
  readonly upgradeTalos?: boolean;
  readonly mode: ApplyMode;
}

/**
 * The Talos that a machine is to run: what its configuration's installer installs. Undefined where the
 * machine isn't upgraded: that is unwanted, nothing may restart, or the installer doesn't tell its version.
 *
 * @param outline of its configuration, where that is known
 */
export function declaredSystem(
  { upgradeTalos = true, mode }: UpgradeChoice,
  outline: ConfigDocument | undefined,
): TalosSystem | undefined {
  const mayRestart = mode !== "staged" && mode !== "noReboot";
  const image = outline && installerOf(outline);
  return upgradeTalos && mayRestart && image !== undefined ? systemOfInstaller(image) : undefined;
}

/**
 * Whether a machine has a Talos to install.
 *
 * @param running what it last said; undefined where an older release recorded the machine
 * @throws Error, in words for a preview, where the way from one to the other isn't supported
 */
export function needsUpgrade(
  running: TalosSystem | undefined,
  declared: TalosSystem | undefined,
): boolean {
  if (running === undefined || declared === undefined || isSameSystem(running, declared)) {
    return false;
  }
  const problem = upgradePathProblem(running.version, declared.version);
  if (problem !== undefined) {
    throw new Error(problem);
  }
  return true;
}

/**
 * What a machine that has its first configuration runs, for the record. It boots what its image holds; an
 * image of another version than its configuration's installer is warned of, as the next update changes it.
 *
 * @returns undefined when it doesn't tell just now
 */
export async function bootedSystem(
  machine: Machine,
  declared: TalosSystem,
  { warn }: Progress,
): Promise<TalosSystem | undefined> {
  const running = await unlessSilent(withMachine(machine, (client) => readSystem(client)));
  if (running === undefined || isSameSystem(running, declared)) {
    return running && declared;
  }
  warn(
    `machine ${machine.node} booted Talos ${describeSystem(running, declared)}, and its configuration's installer is of ${describeSystem(declared, running)}: the next "pulumi up" upgrades it. Give an image of that version to have machines start with it`,
  );
  return running;
}

/**
 * The Talos of a machine that an older release recorded, where it is neither the declared one nor that of the
 * installer in the machine's own configuration: somebody upgraded it by hand, or gave it an image of their own.
 * No preview has said that it changes, so it is recorded and warned of, and the next update changes it.
 *
 * @returns undefined where the machine may be upgraded, or doesn't tell
 */
export async function systemOfSomebodyElse(
  machine: Machine,
  declared: TalosSystem,
  { warn }: Progress,
): Promise<TalosSystem | undefined> {
  const answers = withMachine(machine, (client) =>
    Promise.all([readSystem(client), readMachineConfig(client, "v1alpha1")]),
  );
  const [running, text] = (await unlessSilent(answers)) ?? [];
  const installed = text === undefined ? undefined : installedSystem(decodeDocuments(text));
  if (
    running === undefined ||
    isSameSystem(running, declared) ||
    installed === undefined ||
    isSameSystem(running, installed)
  ) {
    return undefined;
  }
  warn(
    `machine ${machine.node} runs Talos ${describeSystem(running, declared)}, which neither its former nor its new installer is of: it stays so now, and the next "pulumi up" upgrades it to ${describeSystem(declared, running)}. Set "upgradeTalos" to false, or the version or schematic to what it runs, to keep it`,
  );
  return running;
}
