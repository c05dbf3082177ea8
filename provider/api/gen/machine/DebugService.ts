// Original file: provider/api/proto/machine/debug.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DebugContainerRunRequest as _machine_DebugContainerRunRequest, DebugContainerRunRequest__Output as _machine_DebugContainerRunRequest__Output } from '../machine/DebugContainerRunRequest';
import type { DebugContainerRunResponse as _machine_DebugContainerRunResponse, DebugContainerRunResponse__Output as _machine_DebugContainerRunResponse__Output } from '../machine/DebugContainerRunResponse';

export interface DebugServiceClient extends grpc.Client {
  ContainerRun(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_machine_DebugContainerRunRequest, _machine_DebugContainerRunResponse__Output>;
  ContainerRun(options?: grpc.CallOptions): grpc.ClientDuplexStream<_machine_DebugContainerRunRequest, _machine_DebugContainerRunResponse__Output>;
  containerRun(metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientDuplexStream<_machine_DebugContainerRunRequest, _machine_DebugContainerRunResponse__Output>;
  containerRun(options?: grpc.CallOptions): grpc.ClientDuplexStream<_machine_DebugContainerRunRequest, _machine_DebugContainerRunResponse__Output>;
  
}

export interface DebugServiceHandlers extends grpc.UntypedServiceImplementation {
  ContainerRun: grpc.handleBidiStreamingCall<_machine_DebugContainerRunRequest__Output, _machine_DebugContainerRunResponse>;
  
}

export interface DebugServiceDefinition extends grpc.ServiceDefinition {
  ContainerRun: MethodDefinition<_machine_DebugContainerRunRequest, _machine_DebugContainerRunResponse, _machine_DebugContainerRunRequest__Output, _machine_DebugContainerRunResponse__Output>
}
