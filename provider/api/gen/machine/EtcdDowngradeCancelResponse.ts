// Original file: provider/api/proto/machine/machine.proto

import type { EtcdDowngradeCancel as _machine_EtcdDowngradeCancel, EtcdDowngradeCancel__Output as _machine_EtcdDowngradeCancel__Output } from '../machine/EtcdDowngradeCancel';

export interface EtcdDowngradeCancelResponse {
  'messages'?: (_machine_EtcdDowngradeCancel)[];
}

export interface EtcdDowngradeCancelResponse__Output {
  'messages': (_machine_EtcdDowngradeCancel__Output)[];
}
