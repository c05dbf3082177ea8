// Original file: provider/api/proto/machine/machine.proto

import type { EtcdDowngradeValidate as _machine_EtcdDowngradeValidate, EtcdDowngradeValidate__Output as _machine_EtcdDowngradeValidate__Output } from '../machine/EtcdDowngradeValidate';

export interface EtcdDowngradeValidateResponse {
  'messages'?: (_machine_EtcdDowngradeValidate)[];
}

export interface EtcdDowngradeValidateResponse__Output {
  'messages': (_machine_EtcdDowngradeValidate__Output)[];
}
