// Original file: provider/api/proto/machine/machine.proto

import type { NetworkDeviceConfig as _machine_NetworkDeviceConfig, NetworkDeviceConfig__Output as _machine_NetworkDeviceConfig__Output } from '../machine/NetworkDeviceConfig';

export interface NetworkConfig {
  'hostname'?: (string);
  'interfaces'?: (_machine_NetworkDeviceConfig)[];
}

export interface NetworkConfig__Output {
  'hostname': (string);
  'interfaces': (_machine_NetworkDeviceConfig__Output)[];
}
