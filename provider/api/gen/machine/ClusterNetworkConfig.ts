// Original file: provider/api/proto/machine/machine.proto

import type { CNIConfig as _machine_CNIConfig, CNIConfig__Output as _machine_CNIConfig__Output } from '../machine/CNIConfig';

export interface ClusterNetworkConfig {
  'dnsDomain'?: (string);
  'cniConfig'?: (_machine_CNIConfig | null);
}

export interface ClusterNetworkConfig__Output {
  'dnsDomain': (string);
  'cniConfig': (_machine_CNIConfig__Output | null);
}
