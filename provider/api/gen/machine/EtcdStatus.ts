// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { EtcdMemberStatus as _machine_EtcdMemberStatus, EtcdMemberStatus__Output as _machine_EtcdMemberStatus__Output } from '../machine/EtcdMemberStatus';

export interface EtcdStatus {
  'metadata'?: (_common_Metadata | null);
  'memberStatus'?: (_machine_EtcdMemberStatus | null);
}

export interface EtcdStatus__Output {
  'metadata': (_common_Metadata__Output | null);
  'memberStatus': (_machine_EtcdMemberStatus__Output | null);
}
