import type { ClusterControlPlaneArgs, ClusterDnsArgs, TalosClusterArgs } from "../components";
import { chooseAddOns } from "../components/cluster/addOns/chooseAddOns";
import { checkTalosCluster } from "../components/cluster/checkTalosCluster";
import { publicZoneKeys } from "../components/network/checkNetwork";
import { checkZoneRegions } from "../components/network/checkZoneRegions";
import { type PropertyProblem, within } from "../components/problems";
import { presentableProblems } from "../provider/engine/argumentsError";
import { checkMachineConfiguration } from "./checkMachineConfiguration";
import type { WorkerPoolSettings, WorkersSettings } from "./machinesSchema";
import type { NetworkSettings } from "./networkSchema";
import { type Preset, PRESETS, type PresetName } from "./presets";
import { type GivenSettings, type KubeconfigSettings, settingsSchema } from "./settingsSchema";
import { shapeErrors } from "./shapeErrors";
import { shapeProblem } from "./shapeProblem";

/** The parsed settings of an environment. */
export interface Settings {
  readonly preset: PresetName;
  /** Name of the cluster, and its part of the DNS name. */
  readonly name: string;
  readonly region: string;
  readonly cluster: KnownClusterArgs;
  /** Kubeconfigs of people and pipelines, by user. */
  readonly kubeconfigs: Readonly<Record<string, KubeconfigSettings>>;
}

/** Arguments of a cluster that are known before any resource exists. */
export interface KnownClusterArgs extends TalosClusterArgs {
  readonly talosVersion: string;
  readonly controlPlane: ClusterControlPlaneArgs & {
    readonly instanceType: string;
    readonly rootVolumeSizeGib: number;
    readonly imageId?: string;
  };
  readonly workerPools: Readonly<Record<string, WorkerPoolSettings>>;
  readonly workers?: WorkersSettings;
  readonly dns: ClusterDnsArgs & { readonly zoneId?: string };
  readonly network: NetworkSettings;
}

/** The unparsed settings. */
export interface RawSettings {
  /** Name of the stack, which is also the preset if none is given. */
  readonly stack: string;
  /** The setting `aws:region`. */
  readonly region: string | undefined;
  /**
   * The project's own settings by key, as Pulumi passes them: text, or JSON of lists and objects.
   */
  readonly values: Readonly<Record<string, string>>;
}

/** Invalid settings. The message lists all problems. */
export class SettingsError extends Error {
  readonly problems: readonly PropertyProblem[];

  constructor(stack: string, problems: readonly PropertyProblem[]) {
    const shown = presentableProblems(problems);
    const lines = shown.map(({ property, reason }) => `  - ${property}: ${reason}`);
    super(`the settings in Pulumi.${stack}.yaml can't be used:\n${lines.join("\n")}`);
    this.name = "SettingsError";
    this.problems = shown;
  }
}

/**
 * Parses the settings of an environment, with its preset's defaults.
 *
 * @throws SettingsError that lists all problems
 */
export function parseSettings(raw: RawSettings): Settings {
  const { stack, region } = raw;
  const values = decode(raw.values);
  const problems: PropertyProblem[] = [];
  if (region === undefined) {
    const reason = `it is missing: it must be an AWS region, as in "us-east-1"`;
    problems.push({ property: "aws:region", reason });
  }
  if (values.preset === undefined && !isPreset(stack)) {
    const known = Object.keys(PRESETS).join(", ");
    const reason = `it is missing, and the stack's name "${stack}" is not a preset: it must be one of ${known}`;
    problems.push({ property: "preset", reason });
  }
  const misshapen = shapeErrors(values);
  if (misshapen.length > 0) {
    problems.push(...misshapen.map((error) => shapeProblem(error, values)));
    throw new SettingsError(stack, problems);
  }
  const { preset = stack, plugin, kubeconfigs = {}, ...given } = values as GivenSettings;
  // Without a valid preset, any preset finds the other problems.
  const known = isPreset(preset) ? preset : "sandbox";
  const cluster = toCluster(given, PRESETS[known]);
  problems.push(
    ...checkTalosCluster(chooseAddOns(cluster), `${cluster.environment}-api`).map((problem) =>
      // The cluster is named after its environment.
      problem.property === "name" ? { ...problem, property: "environment" } : problem,
    ),
    ...checkMachineConfiguration(given),
    ...checkPromises(cluster, known),
    ...(region === undefined
      ? []
      : within("network", checkZoneRegions(given.network, { region, by: "aws:region" }))),
  );
  if (problems.length > 0 || region === undefined || !isPreset(preset)) {
    throw new SettingsError(stack, problems);
  }
  return { preset, name: cluster.environment, region, cluster, kubeconfigs };
}

function isPreset(name: string): name is PresetName {
  return Object.hasOwn(PRESETS, name);
}

/**
 * Pulumi stores settings as text: lists and objects as JSON, numbers and Booleans as they are
 * written.
 */
function decode(
  values: Readonly<Record<string, string>>,
): Partial<Record<keyof GivenSettings, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const type = settingsSchema.properties?.[key]?.type;
      return [key, type === undefined || type === "string" ? value : decodeJson(value)];
    }),
  );
}

function decodeJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not a list, object or Boolean: the check of its shape will report that.
    return text;
  }
}

function toCluster(
  given: Omit<GivenSettings, "preset" | "plugin" | "kubeconfigs">,
  preset: Preset,
): KnownClusterArgs {
  const { environment = preset.environment, protect = preset.protect, controlPlane } = given;
  const { workerPools = {} } = given;
  const { applyTimeoutSeconds, applySettledSeconds } = preset;
  const { talosconfigLifetimeHours, kubeconfigLifetimeHours } = preset;
  // Without workers, workloads can only run on control planes.
  const schedules = preset.schedulesOnControlPlanes && Object.keys(workerPools).length === 0;
  return {
    applyTimeoutSeconds,
    applySettledSeconds,
    talosconfigLifetimeHours,
    ...(kubeconfigLifetimeHours !== undefined && { kubeconfigLifetimeHours }),
    ...given,
    environment,
    dns: given.dns ?? {},
    controlPlane: {
      machineCount: preset.machineCount,
      instanceType: preset.instanceType,
      rootVolumeSizeGib: preset.rootVolumeSizeGib,
      terminationProtection: protect,
      ...controlPlane,
    },
    workerPools,
    ...(schedules && {
      machineConfiguration: { allowSchedulingOnControlPlanes: true, ...given.machineConfiguration },
    }),
    loadBalancerDeletionProtection: protect,
    protect,
  };
}

/** An environment must fulfil what its preset's name promises. */
function checkPromises(cluster: KnownClusterArgs, presetName: PresetName): PropertyProblem[] {
  const { leastMachines, leastZones, machineCount } = PRESETS[presetName];
  const machines = cluster.controlPlane.machineCount ?? machineCount;
  const zones = publicZoneKeys(cluster.network).length;
  const problems: PropertyProblem[] = [];
  if (machines < leastMachines) {
    const reason = `an environment of preset "${presetName}" has at least ${leastMachines} control plane machines, not ${machines}: add some, or set another preset`;
    problems.push({ property: "controlPlane.machineCount", reason });
  }
  // The check of the network reports missing zones.
  if (zones > 0 && zones < leastZones) {
    const reason = `an environment of preset "${presetName}" spans at least ${leastZones} zones, not ${zones}: name more, or set another preset`;
    problems.push({ property: "network.zones", reason });
  }
  return problems;
}
