// Original file: provider/api/proto/machine/machine.proto

import type { EtcdRecover as _machine_EtcdRecover, EtcdRecover__Output as _machine_EtcdRecover__Output } from '../machine/EtcdRecover';

export interface EtcdRecoverResponse {
  'messages'?: (_machine_EtcdRecover)[];
}

export interface EtcdRecoverResponse__Output {
  'messages': (_machine_EtcdRecover__Output)[];
}
