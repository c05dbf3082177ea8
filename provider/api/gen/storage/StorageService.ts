// Original file: provider/api/proto/storage/storage.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BlockDeviceWipeRequest as _storage_BlockDeviceWipeRequest, BlockDeviceWipeRequest__Output as _storage_BlockDeviceWipeRequest__Output } from '../storage/BlockDeviceWipeRequest';
import type { BlockDeviceWipeResponse as _storage_BlockDeviceWipeResponse, BlockDeviceWipeResponse__Output as _storage_BlockDeviceWipeResponse__Output } from '../storage/BlockDeviceWipeResponse';
import type { DisksResponse as _storage_DisksResponse, DisksResponse__Output as _storage_DisksResponse__Output } from '../storage/DisksResponse';
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../google/protobuf/Empty';

export interface StorageServiceClient extends grpc.Client {
  BlockDeviceWipe(argument: _storage_BlockDeviceWipeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_storage_BlockDeviceWipeResponse__Output>): grpc.ClientUnaryCall;
  BlockDeviceWipe(argument: _storage_BlockDeviceWipeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_storage_BlockDeviceWipeResponse__Output>): grpc.ClientUnaryCall;
  BlockDeviceWipe(argument: _storage_BlockDeviceWipeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_storage_BlockDeviceWipeResponse__Output>): grpc.ClientUnaryCall;
  BlockDeviceWipe(argument: _storage_BlockDeviceWipeRequest, callback: grpc.requestCallback<_storage_BlockDeviceWipeResponse__Output>): grpc.ClientUnaryCall;
  blockDeviceWipe(argument: _storage_BlockDeviceWipeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_storage_BlockDeviceWipeResponse__Output>): grpc.ClientUnaryCall;
  blockDeviceWipe(argument: _storage_BlockDeviceWipeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_storage_BlockDeviceWipeResponse__Output>): grpc.ClientUnaryCall;
  blockDeviceWipe(argument: _storage_BlockDeviceWipeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_storage_BlockDeviceWipeResponse__Output>): grpc.ClientUnaryCall;
  blockDeviceWipe(argument: _storage_BlockDeviceWipeRequest, callback: grpc.requestCallback<_storage_BlockDeviceWipeResponse__Output>): grpc.ClientUnaryCall;
  
  Disks(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_storage_DisksResponse__Output>): grpc.ClientUnaryCall;
  Disks(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_storage_DisksResponse__Output>): grpc.ClientUnaryCall;
  Disks(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_storage_DisksResponse__Output>): grpc.ClientUnaryCall;
  Disks(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_storage_DisksResponse__Output>): grpc.ClientUnaryCall;
  disks(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_storage_DisksResponse__Output>): grpc.ClientUnaryCall;
  disks(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_storage_DisksResponse__Output>): grpc.ClientUnaryCall;
  disks(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_storage_DisksResponse__Output>): grpc.ClientUnaryCall;
  disks(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_storage_DisksResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface StorageServiceHandlers extends grpc.UntypedServiceImplementation {
  BlockDeviceWipe: grpc.handleUnaryCall<_storage_BlockDeviceWipeRequest__Output, _storage_BlockDeviceWipeResponse>;
  
  Disks: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _storage_DisksResponse>;
  
}

export interface StorageServiceDefinition extends grpc.ServiceDefinition {
  BlockDeviceWipe: MethodDefinition<_storage_BlockDeviceWipeRequest, _storage_BlockDeviceWipeResponse, _storage_BlockDeviceWipeRequest__Output, _storage_BlockDeviceWipeResponse__Output>
  Disks: MethodDefinition<_google_protobuf_Empty, _storage_DisksResponse, _google_protobuf_Empty__Output, _storage_DisksResponse__Output>
}
