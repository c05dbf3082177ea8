// Original file: provider/api/proto/machine/machine.proto

import type { EtcdLeaveCluster as _machine_EtcdLeaveCluster, EtcdLeaveCluster__Output as _machine_EtcdLeaveCluster__Output } from '../machine/EtcdLeaveCluster';

export interface EtcdLeaveClusterResponse {
  'messages'?: (_machine_EtcdLeaveCluster)[];
}

export interface EtcdLeaveClusterResponse__Output {
  'messages': (_machine_EtcdLeaveCluster__Output)[];
}
