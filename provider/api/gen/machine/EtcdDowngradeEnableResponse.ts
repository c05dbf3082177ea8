// Original file: provider/api/proto/machine/machine.proto

import type { EtcdDowngradeEnable as _machine_EtcdDowngradeEnable, EtcdDowngradeEnable__Output as _machine_EtcdDowngradeEnable__Output } from '../machine/EtcdDowngradeEnable';

export interface EtcdDowngradeEnableResponse {
  'messages'?: (_machine_EtcdDowngradeEnable)[];
}

export interface EtcdDowngradeEnableResponse__Output {
  'messages': (_machine_EtcdDowngradeEnable__Output)[];
}
