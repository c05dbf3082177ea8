// Original file: provider/api/proto/machine/image.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../google/protobuf/Empty';
import type { ImageServiceImportRequest as _machine_ImageServiceImportRequest, ImageServiceImportRequest__Output as _machine_ImageServiceImportRequest__Output } from '../machine/ImageServiceImportRequest';
import type { ImageServiceImportResponse as _machine_ImageServiceImportResponse, ImageServiceImportResponse__Output as _machine_ImageServiceImportResponse__Output } from '../machine/ImageServiceImportResponse';
import type { ImageServiceListRequest as _machine_ImageServiceListRequest, ImageServiceListRequest__Output as _machine_ImageServiceListRequest__Output } from '../machine/ImageServiceListRequest';
import type { ImageServiceListResponse as _machine_ImageServiceListResponse, ImageServiceListResponse__Output as _machine_ImageServiceListResponse__Output } from '../machine/ImageServiceListResponse';
import type { ImageServicePullRequest as _machine_ImageServicePullRequest, ImageServicePullRequest__Output as _machine_ImageServicePullRequest__Output } from '../machine/ImageServicePullRequest';
import type { ImageServicePullResponse as _machine_ImageServicePullResponse, ImageServicePullResponse__Output as _machine_ImageServicePullResponse__Output } from '../machine/ImageServicePullResponse';
import type { ImageServiceRemoveRequest as _machine_ImageServiceRemoveRequest, ImageServiceRemoveRequest__Output as _machine_ImageServiceRemoveRequest__Output } from '../machine/ImageServiceRemoveRequest';
import type { ImageServiceVerifyRequest as _machine_ImageServiceVerifyRequest, ImageServiceVerifyRequest__Output as _machine_ImageServiceVerifyRequest__Output } from '../machine/ImageServiceVerifyRequest';
import type { ImageServiceVerifyResponse as _machine_ImageServiceVerifyResponse, ImageServiceVerifyResponse__Output as _machine_ImageServiceVerifyResponse__Output } from '../machine/ImageServiceVerifyResponse';

export interface ImageServiceClient extends grpc.Client {
  Import(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImageServiceImportResponse__Output>): grpc.ClientWritableStream<_machine_ImageServiceImportRequest>;
  Import(metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ImageServiceImportResponse__Output>): grpc.ClientWritableStream<_machine_ImageServiceImportRequest>;
  Import(options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImageServiceImportResponse__Output>): grpc.ClientWritableStream<_machine_ImageServiceImportRequest>;
  Import(callback: grpc.requestCallback<_machine_ImageServiceImportResponse__Output>): grpc.ClientWritableStream<_machine_ImageServiceImportRequest>;
  import(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImageServiceImportResponse__Output>): grpc.ClientWritableStream<_machine_ImageServiceImportRequest>;
  import(metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ImageServiceImportResponse__Output>): grpc.ClientWritableStream<_machine_ImageServiceImportRequest>;
  import(options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImageServiceImportResponse__Output>): grpc.ClientWritableStream<_machine_ImageServiceImportRequest>;
  import(callback: grpc.requestCallback<_machine_ImageServiceImportResponse__Output>): grpc.ClientWritableStream<_machine_ImageServiceImportRequest>;
  
  List(argument: _machine_ImageServiceListRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageServiceListResponse__Output>;
  List(argument: _machine_ImageServiceListRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageServiceListResponse__Output>;
  list(argument: _machine_ImageServiceListRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageServiceListResponse__Output>;
  list(argument: _machine_ImageServiceListRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageServiceListResponse__Output>;
  
  Pull(argument: _machine_ImageServicePullRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageServicePullResponse__Output>;
  Pull(argument: _machine_ImageServicePullRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageServicePullResponse__Output>;
  pull(argument: _machine_ImageServicePullRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageServicePullResponse__Output>;
  pull(argument: _machine_ImageServicePullRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_ImageServicePullResponse__Output>;
  
  Remove(argument: _machine_ImageServiceRemoveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Remove(argument: _machine_ImageServiceRemoveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Remove(argument: _machine_ImageServiceRemoveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  Remove(argument: _machine_ImageServiceRemoveRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  remove(argument: _machine_ImageServiceRemoveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  remove(argument: _machine_ImageServiceRemoveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  remove(argument: _machine_ImageServiceRemoveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  remove(argument: _machine_ImageServiceRemoveRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  Verify(argument: _machine_ImageServiceVerifyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImageServiceVerifyResponse__Output>): grpc.ClientUnaryCall;
  Verify(argument: _machine_ImageServiceVerifyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ImageServiceVerifyResponse__Output>): grpc.ClientUnaryCall;
  Verify(argument: _machine_ImageServiceVerifyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImageServiceVerifyResponse__Output>): grpc.ClientUnaryCall;
  Verify(argument: _machine_ImageServiceVerifyRequest, callback: grpc.requestCallback<_machine_ImageServiceVerifyResponse__Output>): grpc.ClientUnaryCall;
  verify(argument: _machine_ImageServiceVerifyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImageServiceVerifyResponse__Output>): grpc.ClientUnaryCall;
  verify(argument: _machine_ImageServiceVerifyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_machine_ImageServiceVerifyResponse__Output>): grpc.ClientUnaryCall;
  verify(argument: _machine_ImageServiceVerifyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_machine_ImageServiceVerifyResponse__Output>): grpc.ClientUnaryCall;
  verify(argument: _machine_ImageServiceVerifyRequest, callback: grpc.requestCallback<_machine_ImageServiceVerifyResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface ImageServiceHandlers extends grpc.UntypedServiceImplementation {
  Import: grpc.handleClientStreamingCall<_machine_ImageServiceImportRequest__Output, _machine_ImageServiceImportResponse>;
  
  List: grpc.handleServerStreamingCall<_machine_ImageServiceListRequest__Output, _machine_ImageServiceListResponse>;
  
  Pull: grpc.handleServerStreamingCall<_machine_ImageServicePullRequest__Output, _machine_ImageServicePullResponse>;
  
  Remove: grpc.handleUnaryCall<_machine_ImageServiceRemoveRequest__Output, _google_protobuf_Empty>;
  
  Verify: grpc.handleUnaryCall<_machine_ImageServiceVerifyRequest__Output, _machine_ImageServiceVerifyResponse>;
  
}

export interface ImageServiceDefinition extends grpc.ServiceDefinition {
  Import: MethodDefinition<_machine_ImageServiceImportRequest, _machine_ImageServiceImportResponse, _machine_ImageServiceImportRequest__Output, _machine_ImageServiceImportResponse__Output>
  List: MethodDefinition<_machine_ImageServiceListRequest, _machine_ImageServiceListResponse, _machine_ImageServiceListRequest__Output, _machine_ImageServiceListResponse__Output>
  Pull: MethodDefinition<_machine_ImageServicePullRequest, _machine_ImageServicePullResponse, _machine_ImageServicePullRequest__Output, _machine_ImageServicePullResponse__Output>
  Remove: MethodDefinition<_machine_ImageServiceRemoveRequest, _google_protobuf_Empty, _machine_ImageServiceRemoveRequest__Output, _google_protobuf_Empty__Output>
  Verify: MethodDefinition<_machine_ImageServiceVerifyRequest, _machine_ImageServiceVerifyResponse, _machine_ImageServiceVerifyRequest__Output, _machine_ImageServiceVerifyResponse__Output>
}
