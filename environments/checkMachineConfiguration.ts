import { planPodNetwork } from "../components/cluster/planPodNetwork";
import { within, type PropertyProblem } from "../components/problems";
import { checkMachineConfigInput } from "../provider/config/checkInput";
import { checkInstallerOptions } from "../provider/config/installerImage";
import type { WorkerConfigurationSettings } from "./machinesSchema";
import type { GivenSettings } from "./settingsSchema";

/**
 * All problems of the settings for the machines' configuration, before anything runs. Patches are
 * checked later, when they are applied.
 */
export function checkMachineConfiguration(given: Omit<GivenSettings, "preset">): PropertyProblem[] {
  const { talosVersion, versionContract, kubernetesVersion, machineConfiguration = {} } = given;
  const { kubeSpan, contractDefaults, newDefaults } = given;
  const chosen = { versionContract, contractDefaults, newDefaults };
  const versions = { talosVersion, kubernetesVersion, ...chosen };
  const own = { ...versions, kubeSpan, cni: planPodNetwork(given).cni };
  const about = { ...own, machineType: "controlplane" as const };
  const ofCluster = checkMachineConfigInput(about);
  const ofOptions = [
    ...checkMachineConfigInput({ ...machineConfiguration, ...about }),
    ...checkInstallerOptions(machineConfiguration),
  ].filter(({ property }) => !ofCluster.some((problem) => problem.property === property));
  const isOwn = ({ property }: PropertyProblem) => property === "kubeSpan";
  return [
    ...ofCluster
      // The check of the cluster's arguments reports it.
      .filter(({ property }) => property !== "talosVersion")
      .map(({ property, reason }) => ({
        property: property.replace(/^cni\.urls/, "cniManifests"),
        reason,
      })),
    ...ofOptions.filter(isOwn),
    ...within(
      "machineConfiguration",
      ofOptions.filter((problem) => !isOwn(problem)),
    ),
    ...checkWorkers(given, (options) =>
      [
        ...checkMachineConfigInput({ ...options, ...own, machineType: "worker" as const }),
        ...checkInstallerOptions(options),
      ].filter(({ property }) => !ofCluster.some((problem) => problem.property === property)),
    ),
  ];
}

/** All problems of the settings for workers' configuration, of all pools and of single ones. */
function checkWorkers(
  { workers, workerPools = {} }: Omit<GivenSettings, "preset">,
  check: (options: WorkerConfigurationSettings) => PropertyProblem[],
): PropertyProblem[] {
  const all: readonly (readonly [string, WorkerConfigurationSettings | undefined])[] = [
    ["workers", workers?.machineConfiguration],
    ...Object.entries(workerPools).map(
      ([name, pool]) => [`workerPools.${name}`, pool.machineConfiguration] as const,
    ),
  ];
  return all.flatMap(([place, options]) =>
    options === undefined ? [] : within(`${place}.machineConfiguration`, check(options)),
  );
}
