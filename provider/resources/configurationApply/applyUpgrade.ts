import type { Progress } from "../../base/progress";
import type { ConfigDocument } from "../../config/machineConfig";
import { installerOf } from "../../config/settings/installer";
import {
  describeSystem,
  installedSystem,
  isSameSystem,
  systemOfInstaller,
  type TalosSystem,
  upgradePathProblem,
} from "../../config/talosSystem";
import { decodeDocuments } from "../../config/yaml/encode";
import type { ApplyMode } from "../../lifecycle/delivery/delivery";
import { readMachineConfig } from "../../lifecycle/delivery/machineConfigs";
import { type Machine, withMachine } from "../../lifecycle/machine";
import { unlessSilent } from "../../lifecycle/silence";
import { readSystem } from "../../lifecycle/upgrade/upgradeMachine";

/**
 * The default time limit of an upgrade: a pull, five minutes to drain, an installation and a boot.
 */
export const DEFAULT_UPGRADE_TIMEOUT_SECONDS = 1_800;

/** The inputs that decide whether a machine's Talos follows its configuration. */
interface UpgradeChoice {
  readonly upgradeTalos?: boolean;
  readonly mode: ApplyMode;
}

/**
 * The Talos that a machine must run: the one of its configuration's installer. Undefined if the
 * machine isn't upgraded: `upgradeTalos` is false, the mode forbids a restart, or the installer's
 * tag is no version.
 *
 * @param outline of its configuration, if it is known
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
 * Whether a machine must be upgraded.
 *
 * @param running the Talos that it last reported; undefined if an older release recorded the
 *   machine
 * @throws Error if the upgrade path isn't supported, with a message for previews
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
 * The Talos of a machine that has its first configuration, for the state. A machine boots the Talos
 * of its image. If that differs from the installer's, a warning says that the next update changes
 * it.
 *
 * @returns undefined while it reports none
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
    `machine ${machine.node} booted Talos ${describeSystem(running, declared)}, but its configuration's installer has ${describeSystem(declared, running)}: the next "pulumi up" upgrades it. To boot machines with that version, give an image of it`,
  );
  return running;
}

/**
 * The Talos to record after a failed change: the one that the machine reports, in a recorded form. A
 * silent machine counts as upgraded, so that a program that is taken back asks it again.
 */
export async function talosAfterFailure(
  { talosSystem: former }: { readonly talosSystem?: TalosSystem },
  news: Machine & { readonly talosSystem?: TalosSystem },
): Promise<{ readonly talosSystem?: TalosSystem }> {
  const { talosSystem: declared } = news;
  if (declared === undefined) {
    return {};
  }
  const running =
    (await unlessSilent(withMachine(news, (client) => readSystem(client)))) ?? declared;
  const known = [former, declared].find((each) => each && isSameSystem(each, running));
  return { talosSystem: known ?? running };
}

/**
 * The Talos of a machine that an older release recorded, if it is neither the declared one nor the
 * one of the machine's own installer. So a person upgraded it by hand or chose another image. No
 * preview has shown its change. So it is only recorded, with a warning, and the next update changes
 * it.
 *
 * @returns undefined if the machine may be upgraded, or reports none
 */
export async function manuallyChosenSystem(
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
    `machine ${machine.node} runs Talos ${describeSystem(running, declared)}, which is neither its former nor its new installer's: this run keeps it, and the next "pulumi up" upgrades it to ${describeSystem(declared, running)}. To keep it, set "upgradeTalos" to false, or set the version or schematic that it runs`,
  );
  return running;
}
