// Original file: provider/api/proto/machine/machine.proto

import type { EtcdRemoveMember as _machine_EtcdRemoveMember, EtcdRemoveMember__Output as _machine_EtcdRemoveMember__Output } from '../machine/EtcdRemoveMember';

export interface EtcdRemoveMemberResponse {
  'messages'?: (_machine_EtcdRemoveMember)[];
}

export interface EtcdRemoveMemberResponse__Output {
  'messages': (_machine_EtcdRemoveMember__Output)[];
}
