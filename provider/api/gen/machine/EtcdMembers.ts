// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { EtcdMember as _machine_EtcdMember, EtcdMember__Output as _machine_EtcdMember__Output } from '../machine/EtcdMember';

export interface EtcdMembers {
  'metadata'?: (_common_Metadata | null);
  'legacyMembers'?: (string)[];
  'members'?: (_machine_EtcdMember)[];
}

export interface EtcdMembers__Output {
  'metadata': (_common_Metadata__Output | null);
  'legacyMembers': (string)[];
  'members': (_machine_EtcdMember__Output)[];
}
