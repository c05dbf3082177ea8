// Original file: provider/api/proto/cluster/cluster.proto

import type { Duration as _google_protobuf_Duration, Duration__Output as _google_protobuf_Duration__Output } from '../google/protobuf/Duration';
import type { ClusterInfo as _cluster_ClusterInfo, ClusterInfo__Output as _cluster_ClusterInfo__Output } from '../cluster/ClusterInfo';

export interface HealthCheckRequest {
  'waitTimeout'?: (_google_protobuf_Duration | null);
  'clusterInfo'?: (_cluster_ClusterInfo | null);
}

export interface HealthCheckRequest__Output {
  'waitTimeout': (_google_protobuf_Duration__Output | null);
  'clusterInfo': (_cluster_ClusterInfo__Output | null);
}
