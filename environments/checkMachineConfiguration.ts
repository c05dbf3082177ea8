import { within, type PropertyProblem } from "../components/problems";
import { checkMachineConfigInput } from "../provider/config/checkInput";
import { checkInstallerOptions } from "../provider/config/installerImage";
import type { GivenSettings } from "./settingsSchema";

/**
 * All that is wrong with what settings say of the machines' configuration, before anything runs.
 * Patches are judged later, where they are applied.
 */
export function checkMachineConfiguration(given: Omit<GivenSettings, "preset">): PropertyProblem[] {
  const { talosVersion, versionContract, kubernetesVersion, machineConfiguration = {} } = given;
  const versions = { talosVersion, versionContract, kubernetesVersion };
  const about = { ...versions, machineType: "controlplane" as const };
  // What is wrong with the versions alone is no matter of the options.
  const ofVersions = checkMachineConfigInput(about);
  const ofOptions = [
    ...checkMachineConfigInput({ ...machineConfiguration, ...about }),
    ...checkInstallerOptions(machineConfiguration),
  ].filter(({ property }) => !ofVersions.some((problem) => problem.property === property));
  return [...ofVersions, ...within("machineConfiguration", ofOptions)];
}
