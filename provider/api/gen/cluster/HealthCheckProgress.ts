// Original file: provider/api/proto/cluster/cluster.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';

export interface HealthCheckProgress {
  'metadata'?: (_common_Metadata | null);
  'message'?: (string);
}

export interface HealthCheckProgress__Output {
  'metadata': (_common_Metadata__Output | null);
  'message': (string);
}
