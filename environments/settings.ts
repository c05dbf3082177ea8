import { checkTalosCluster, chooseAddOns } from "../components/cluster";
import { checkZoneRegions, publicZoneKeys } from "../components/network";
import { type PropertyProblem, within } from "../components/problems";
import { presentableProblems } from "../provider/engine";
import { checkMembers, type MembersSchema } from "../provider/schema";
import { type Preset, PRESETS, type PresetName } from "./presets";
import {
  type GivenSettings,
  type KubeconfigSettings,
  type PlainClusterArgs,
  settingsSchema,
} from "./settingsSchema";

/** The parsed settings of an environment. */
export interface Settings {
  readonly preset: PresetName;
  /** Name of the cluster, and its part of the DNS name. */
  readonly name: string;
  readonly region: string;
  readonly cluster: PlainClusterArgs;
  /** Kubeconfigs of people and pipelines, by user. */
  readonly kubeconfigs: Readonly<Record<string, KubeconfigSettings>>;
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
  const schema = settingsSchema();
  const values = decode(raw.values, schema);
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
  const misshapen = checkMembers(values, schema, { inFile: true });
  if (misshapen.length > 0) {
    throw new SettingsError(stack, [...problems, ...misshapen]);
  }
  const { preset = stack, plugin, kubeconfigs = {}, ...given } = values as unknown as GivenSettings;
  // Without a valid preset, any preset finds the other problems.
  const known = isPreset(preset) ? preset : "sandbox";
  const cluster = toCluster(given, PRESETS[known]);
  problems.push(
    ...checkTalosCluster(cluster.environment, chooseAddOns(cluster)).map((problem) =>
      // The cluster is named after its environment.
      problem.property === "name" ? { ...problem, property: "environment" } : problem,
    ),
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
  { properties = {} }: MembersSchema,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const { type, oneOf } = properties[key] ?? {};
      const isText = type === "string" || (type ?? oneOf) === undefined;
      return [key, isText ? value : decodeJson(value)];
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
): PlainClusterArgs {
  const { protect = preset.protect, workerPools = {} } = given;
  const { environment, applyTimeoutSeconds, applySettledSeconds } = preset;
  const { talosconfigLifetimeHours, kubeconfigLifetimeHours } = preset;
  // Without workers, workloads can only run on control planes.
  const schedules = preset.schedulesOnControlPlanes && Object.keys(workerPools).length === 0;
  return {
    environment,
    applyTimeoutSeconds,
    applySettledSeconds,
    talosconfigLifetimeHours,
    ...(kubeconfigLifetimeHours !== undefined && { kubeconfigLifetimeHours }),
    loadBalancerDeletionProtection: protect,
    protect,
    ...given,
    controlPlane: {
      machineCount: preset.machineCount,
      instanceType: preset.instanceType,
      rootVolumeSizeGib: preset.rootVolumeSizeGib,
      terminationProtection: protect,
      ...given.controlPlane,
    },
    ...(schedules && {
      machineConfiguration: { allowSchedulingOnControlPlanes: true, ...given.machineConfiguration },
    }),
  };
}

/** An environment must fulfil what its preset's name promises. */
function checkPromises(cluster: PlainClusterArgs, presetName: PresetName): PropertyProblem[] {
  const { leastMachines, leastZones, machineCount } = PRESETS[presetName];
  const machines = cluster.controlPlane?.machineCount ?? machineCount;
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
