// Original file: provider/api/proto/machine/machine.proto

import type { ClusterConfig as _machine_ClusterConfig, ClusterConfig__Output as _machine_ClusterConfig__Output } from '../machine/ClusterConfig';
import type { MachineConfig as _machine_MachineConfig, MachineConfig__Output as _machine_MachineConfig__Output } from '../machine/MachineConfig';
import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../google/protobuf/Timestamp';

export interface GenerateConfigurationRequest {
  'configVersion'?: (string);
  'clusterConfig'?: (_machine_ClusterConfig | null);
  'machineConfig'?: (_machine_MachineConfig | null);
  'overrideTime'?: (_google_protobuf_Timestamp | null);
}

export interface GenerateConfigurationRequest__Output {
  'configVersion': (string);
  'clusterConfig': (_machine_ClusterConfig__Output | null);
  'machineConfig': (_machine_MachineConfig__Output | null);
  'overrideTime': (_google_protobuf_Timestamp__Output | null);
}
