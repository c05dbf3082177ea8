// Original file: provider/api/proto/time/time.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../google/protobuf/Empty';
import type { TimeRequest as _time_TimeRequest, TimeRequest__Output as _time_TimeRequest__Output } from '../time/TimeRequest';
import type { TimeResponse as _time_TimeResponse, TimeResponse__Output as _time_TimeResponse__Output } from '../time/TimeResponse';

export interface TimeServiceClient extends grpc.Client {
  Time(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  Time(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  Time(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  Time(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  time(argument: _google_protobuf_Empty, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  time(argument: _google_protobuf_Empty, metadata: grpc.Metadata, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  time(argument: _google_protobuf_Empty, options: grpc.CallOptions, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  time(argument: _google_protobuf_Empty, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  
  TimeCheck(argument: _time_TimeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  TimeCheck(argument: _time_TimeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  TimeCheck(argument: _time_TimeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  TimeCheck(argument: _time_TimeRequest, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  timeCheck(argument: _time_TimeRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  timeCheck(argument: _time_TimeRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  timeCheck(argument: _time_TimeRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  timeCheck(argument: _time_TimeRequest, callback: grpc.requestCallback<_time_TimeResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface TimeServiceHandlers extends grpc.UntypedServiceImplementation {
  Time: grpc.handleUnaryCall<_google_protobuf_Empty__Output, _time_TimeResponse>;
  
  TimeCheck: grpc.handleUnaryCall<_time_TimeRequest__Output, _time_TimeResponse>;
  
}

export interface TimeServiceDefinition extends grpc.ServiceDefinition {
  Time: MethodDefinition<_google_protobuf_Empty, _time_TimeResponse, _google_protobuf_Empty__Output, _time_TimeResponse__Output>
  TimeCheck: MethodDefinition<_time_TimeRequest, _time_TimeResponse, _time_TimeRequest__Output, _time_TimeResponse__Output>
}
