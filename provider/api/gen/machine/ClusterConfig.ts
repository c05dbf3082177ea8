// Original file: provider/api/proto/machine/machine.proto

import type { ControlPlaneConfig as _machine_ControlPlaneConfig, ControlPlaneConfig__Output as _machine_ControlPlaneConfig__Output } from '../machine/ControlPlaneConfig';
import type { ClusterNetworkConfig as _machine_ClusterNetworkConfig, ClusterNetworkConfig__Output as _machine_ClusterNetworkConfig__Output } from '../machine/ClusterNetworkConfig';

export interface ClusterConfig {
  'name'?: (string);
  'controlPlane'?: (_machine_ControlPlaneConfig | null);
  'clusterNetwork'?: (_machine_ClusterNetworkConfig | null);
  'allowSchedulingOnControlPlanes'?: (boolean);
}

export interface ClusterConfig__Output {
  'name': (string);
  'controlPlane': (_machine_ControlPlaneConfig__Output | null);
  'clusterNetwork': (_machine_ClusterNetworkConfig__Output | null);
  'allowSchedulingOnControlPlanes': (boolean);
}
