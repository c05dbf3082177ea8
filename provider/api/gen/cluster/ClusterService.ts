// Original file: provider/api/proto/cluster/cluster.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { HealthCheckProgress as _cluster_HealthCheckProgress, HealthCheckProgress__Output as _cluster_HealthCheckProgress__Output } from '../cluster/HealthCheckProgress';
import type { HealthCheckRequest as _cluster_HealthCheckRequest, HealthCheckRequest__Output as _cluster_HealthCheckRequest__Output } from '../cluster/HealthCheckRequest';

export interface ClusterServiceClient extends grpc.Client {
  HealthCheck(argument: _cluster_HealthCheckRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_cluster_HealthCheckProgress__Output>;
  HealthCheck(argument: _cluster_HealthCheckRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_cluster_HealthCheckProgress__Output>;
  healthCheck(argument: _cluster_HealthCheckRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_cluster_HealthCheckProgress__Output>;
  healthCheck(argument: _cluster_HealthCheckRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_cluster_HealthCheckProgress__Output>;
  
}

export interface ClusterServiceHandlers extends grpc.UntypedServiceImplementation {
  HealthCheck: grpc.handleServerStreamingCall<_cluster_HealthCheckRequest__Output, _cluster_HealthCheckProgress>;
  
}

export interface ClusterServiceDefinition extends grpc.ServiceDefinition {
  HealthCheck: MethodDefinition<_cluster_HealthCheckRequest, _cluster_HealthCheckProgress, _cluster_HealthCheckRequest__Output, _cluster_HealthCheckProgress__Output>
}
