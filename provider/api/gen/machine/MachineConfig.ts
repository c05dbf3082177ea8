// Original file: provider/api/proto/machine/machine.proto

import type { InstallConfig as _machine_InstallConfig, InstallConfig__Output as _machine_InstallConfig__Output } from '../machine/InstallConfig';
import type { NetworkConfig as _machine_NetworkConfig, NetworkConfig__Output as _machine_NetworkConfig__Output } from '../machine/NetworkConfig';

// Original file: provider/api/proto/machine/machine.proto

export const _machine_MachineConfig_MachineType = {
  TYPE_UNKNOWN: 'TYPE_UNKNOWN',
  TYPE_INIT: 'TYPE_INIT',
  TYPE_CONTROL_PLANE: 'TYPE_CONTROL_PLANE',
  TYPE_WORKER: 'TYPE_WORKER',
} as const;

export type _machine_MachineConfig_MachineType =
  | 'TYPE_UNKNOWN'
  | 0
  | 'TYPE_INIT'
  | 1
  | 'TYPE_CONTROL_PLANE'
  | 2
  | 'TYPE_WORKER'
  | 3

export type _machine_MachineConfig_MachineType__Output = typeof _machine_MachineConfig_MachineType[keyof typeof _machine_MachineConfig_MachineType]

export interface MachineConfig {
  'type'?: (_machine_MachineConfig_MachineType);
  'installConfig'?: (_machine_InstallConfig | null);
  'networkConfig'?: (_machine_NetworkConfig | null);
  'kubernetesVersion'?: (string);
}

export interface MachineConfig__Output {
  'type': (_machine_MachineConfig_MachineType__Output);
  'installConfig': (_machine_InstallConfig__Output | null);
  'networkConfig': (_machine_NetworkConfig__Output | null);
  'kubernetesVersion': (string);
}
