// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { EtcdClusterDowngrade as _machine_EtcdClusterDowngrade, EtcdClusterDowngrade__Output as _machine_EtcdClusterDowngrade__Output } from '../machine/EtcdClusterDowngrade';

export interface EtcdDowngradeCancel {
  'metadata'?: (_common_Metadata | null);
  'clusterDowngrade'?: (_machine_EtcdClusterDowngrade | null);
}

export interface EtcdDowngradeCancel__Output {
  'metadata': (_common_Metadata__Output | null);
  'clusterDowngrade': (_machine_EtcdClusterDowngrade__Output | null);
}
