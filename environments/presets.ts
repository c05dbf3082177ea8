/** The kinds of environments. */
export type PresetName = "local" | "sandbox" | "staging" | "production";

/** The defaults of an environment, and its minimum. */
export interface Preset {
  /** Its part of the cluster's name in DNS. */
  readonly environment: string;
  readonly machineCount: number;
  readonly instanceType: string;
  readonly rootVolumeSizeGib: number;
  /** Whether control planes run workloads if there are no workers. */
  readonly schedulesOnControlPlanes: boolean;
  /** How long a machine may take to become healthy with its configuration. */
  readonly applyTimeoutSeconds: number;
  /** How long it must stay healthy. Simulated machines don't fail late. */
  readonly applySettledSeconds: number;
  /** How long administrators' access to machines is valid; see `TalosClusterArgs`. */
  readonly talosconfigLifetimeHours: number;
  /** How long the administrator's kubeconfig is valid; see `TalosClusterArgs`. Default: a year. */
  readonly kubeconfigLifetimeHours?: number;
  /** Whether resources that can't be recreated are protected from deletion. */
  readonly protect: boolean;
  /** The minimum number of machines and zones for what its name promises. */
  readonly leastMachines: number;
  readonly leastZones: number;
}

/** The settings files list the cost of each. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  local: {
    environment: "local",
    machineCount: 3,
    instanceType: "t3.medium",
    rootVolumeSizeGib: 20,
    schedulesOnControlPlanes: false,
    applyTimeoutSeconds: 600,
    applySettledSeconds: 1,
    talosconfigLifetimeHours: 8_760,
    protect: false,
    leastMachines: 1,
    leastZones: 1,
  },
  sandbox: {
    environment: "sandbox",
    machineCount: 1,
    instanceType: "t3.medium",
    rootVolumeSizeGib: 30,
    schedulesOnControlPlanes: true,
    applyTimeoutSeconds: 600,
    applySettledSeconds: 5,
    talosconfigLifetimeHours: 8_760,
    protect: false,
    leastMachines: 1,
    leastZones: 1,
  },
  staging: {
    environment: "staging",
    machineCount: 3,
    instanceType: "t3.large",
    rootVolumeSizeGib: 50,
    schedulesOnControlPlanes: false,
    applyTimeoutSeconds: 600,
    applySettledSeconds: 5,
    talosconfigLifetimeHours: 2_160,
    protect: false,
    leastMachines: 3,
    leastZones: 2,
  },
  production: {
    environment: "prod",
    machineCount: 3,
    instanceType: "m6i.xlarge",
    rootVolumeSizeGib: 100,
    schedulesOnControlPlanes: false,
    applyTimeoutSeconds: 1_200,
    applySettledSeconds: 5,
    talosconfigLifetimeHours: 720,
    kubeconfigLifetimeHours: 168,
    protect: true,
    leastMachines: 3,
    leastZones: 3,
  },
};
