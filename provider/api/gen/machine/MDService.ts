// Original file: provider/api/proto/machine/md.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../google/protobuf/Empty';
import type { MDDestroyRequest as _machine_MDDestroyRequest, MDDestroyRequest__Output as _machine_MDDestroyRequest__Output } from '../machine/MDDestroyRequest';

export interface MDServiceClient extends grpc.Client {
  Destroy(argument: _machine_MDDestroyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Destroy(argument: _machine_MDDestroyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Destroy(argument: _machine_MDDestroyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Destroy(argument: _machine_MDDestroyRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  destroy(argument: _machine_MDDestroyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  destroy(argument: _machine_MDDestroyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  destroy(argument: _machine_MDDestroyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  destroy(argument: _machine_MDDestroyRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
}

export interface MDServiceHandlers extends grpc.UntypedServiceImplementation {
  Destroy: grpc.handleUnaryCall<_machine_MDDestroyRequest__Output, _google_protobuf_Empty>;
  
}

export interface MDServiceDefinition extends grpc.ServiceDefinition {
  Destroy: MethodDefinition<_machine_MDDestroyRequest, _google_protobuf_Empty, _machine_MDDestroyRequest__Output, _google_protobuf_Empty__Output>
}
