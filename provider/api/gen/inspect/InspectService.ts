// Original file: provider/api/proto/inspect/inspect.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ControllerRuntimeDependenciesResponse as _inspect_ControllerRuntimeDependenciesResponse, ControllerRuntimeDependenciesResponse__Output as _inspect_ControllerRuntimeDependenciesResponse__Output } from '../inspect/ControllerRuntimeDependenciesResponse';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../google/protobuf/Empty';

export interface InspectServiceClient extends grpc.Client {
  ControllerRuntimeDependencies(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inspect_ControllerRuntimeDependenciesResponse__Output>): grpc.ClientUnaryCall;
  ControllerRuntimeDependencies(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_inspect_ControllerRuntimeDependenciesResponse__Output>): grpc.ClientUnaryCall;
  ControllerRuntimeDependencies(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_inspect_ControllerRuntimeDependenciesResponse__Output>): grpc.ClientUnaryCall;
  ControllerRuntimeDependencies(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_inspect_ControllerRuntimeDependenciesResponse__Output>): grpc.ClientUnaryCall;
  controllerRuntimeDependencies(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_inspect_ControllerRuntimeDependenciesResponse__Output>): grpc.ClientUnaryCall;
  controllerRuntimeDependencies(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_inspect_ControllerRuntimeDependenciesResponse__Output>): grpc.ClientUnaryCall;
  controllerRuntimeDependencies(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_inspect_ControllerRuntimeDependenciesResponse__Output>): grpc.ClientUnaryCall;
  controllerRuntimeDependencies(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_inspect_ControllerRuntimeDependenciesResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface InspectServiceHandlers extends grpc.UntypedServiceImplementation {
  ControllerRuntimeDependencies: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _inspect_ControllerRuntimeDependenciesResponse>;
  
}

export interface InspectServiceDefinition extends grpc.ServiceDefinition {
  ControllerRuntimeDependencies: MethodDefinition<_google_protobuf_Empty, _inspect_ControllerRuntimeDependenciesResponse, _google_protobuf_Empty__Output, _inspect_ControllerRuntimeDependenciesResponse__Output>
}
