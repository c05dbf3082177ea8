// Original file: provider/api/proto/v1alpha1/state.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateRequest as _cosi_resource_CreateRequest, CreateRequest__Output as _cosi_resource_CreateRequest__Output } from '../../cosi/resource/CreateRequest';
import type { CreateResponse as _cosi_resource_CreateResponse, CreateResponse__Output as _cosi_resource_CreateResponse__Output } from '../../cosi/resource/CreateResponse';
import type { DestroyRequest as _cosi_resource_DestroyRequest, DestroyRequest__Output as _cosi_resource_DestroyRequest__Output } from '../../cosi/resource/DestroyRequest';
import type { DestroyResponse as _cosi_resource_DestroyResponse, DestroyResponse__Output as _cosi_resource_DestroyResponse__Output } from '../../cosi/resource/DestroyResponse';
import type { GetRequest as _cosi_resource_GetRequest, GetRequest__Output as _cosi_resource_GetRequest__Output } from '../../cosi/resource/GetRequest';
import type { GetResponse as _cosi_resource_GetResponse, GetResponse__Output as _cosi_resource_GetResponse__Output } from '../../cosi/resource/GetResponse';
import type { ListRequest as _cosi_resource_ListRequest, ListRequest__Output as _cosi_resource_ListRequest__Output } from '../../cosi/resource/ListRequest';
import type { ListResponse as _cosi_resource_ListResponse, ListResponse__Output as _cosi_resource_ListResponse__Output } from '../../cosi/resource/ListResponse';
import type { TeardownAndDestroyRequest as _cosi_resource_TeardownAndDestroyRequest, TeardownAndDestroyRequest__Output as _cosi_resource_TeardownAndDestroyRequest__Output } from '../../cosi/resource/TeardownAndDestroyRequest';
import type { TeardownAndDestroyResponse as _cosi_resource_TeardownAndDestroyResponse, TeardownAndDestroyResponse__Output as _cosi_resource_TeardownAndDestroyResponse__Output } from '../../cosi/resource/TeardownAndDestroyResponse';
import type { TeardownRequest as _cosi_resource_TeardownRequest, TeardownRequest__Output as _cosi_resource_TeardownRequest__Output } from '../../cosi/resource/TeardownRequest';
import type { TeardownResponse as _cosi_resource_TeardownResponse, TeardownResponse__Output as _cosi_resource_TeardownResponse__Output } from '../../cosi/resource/TeardownResponse';
import type { UpdateRequest as _cosi_resource_UpdateRequest, UpdateRequest__Output as _cosi_resource_UpdateRequest__Output } from '../../cosi/resource/UpdateRequest';
import type { UpdateResponse as _cosi_resource_UpdateResponse, UpdateResponse__Output as _cosi_resource_UpdateResponse__Output } from '../../cosi/resource/UpdateResponse';
import type { WatchRequest as _cosi_resource_WatchRequest, WatchRequest__Output as _cosi_resource_WatchRequest__Output } from '../../cosi/resource/WatchRequest';
import type { WatchResponse as _cosi_resource_WatchResponse, WatchResponse__Output as _cosi_resource_WatchResponse__Output } from '../../cosi/resource/WatchResponse';

export interface StateClient extends grpc.Client {
  Create(argument: _cosi_resource_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_CreateResponse__Output>): grpc.ClientUnaryCall;
  Create(argument: _cosi_resource_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_CreateResponse__Output>): grpc.ClientUnaryCall;
  Create(argument: _cosi_resource_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_CreateResponse__Output>): grpc.ClientUnaryCall;
  Create(argument: _cosi_resource_CreateRequest, callback: grpc.requestCallback<_cosi_resource_CreateResponse__Output>): grpc.ClientUnaryCall;
  create(argument: _cosi_resource_CreateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_CreateResponse__Output>): grpc.ClientUnaryCall;
  create(argument: _cosi_resource_CreateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_CreateResponse__Output>): grpc.ClientUnaryCall;
  create(argument: _cosi_resource_CreateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_CreateResponse__Output>): grpc.ClientUnaryCall;
  create(argument: _cosi_resource_CreateRequest, callback: grpc.requestCallback<_cosi_resource_CreateResponse__Output>): grpc.ClientUnaryCall;
  
  Destroy(argument: _cosi_resource_DestroyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_DestroyResponse__Output>): grpc.ClientUnaryCall;
  Destroy(argument: _cosi_resource_DestroyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_DestroyResponse__Output>): grpc.ClientUnaryCall;
  Destroy(argument: _cosi_resource_DestroyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_DestroyResponse__Output>): grpc.ClientUnaryCall;
  Destroy(argument: _cosi_resource_DestroyRequest, callback: grpc.requestCallback<_cosi_resource_DestroyResponse__Output>): grpc.ClientUnaryCall;
  destroy(argument: _cosi_resource_DestroyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_DestroyResponse__Output>): grpc.ClientUnaryCall;
  destroy(argument: _cosi_resource_DestroyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_DestroyResponse__Output>): grpc.ClientUnaryCall;
  destroy(argument: _cosi_resource_DestroyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_DestroyResponse__Output>): grpc.ClientUnaryCall;
  destroy(argument: _cosi_resource_DestroyRequest, callback: grpc.requestCallback<_cosi_resource_DestroyResponse__Output>): grpc.ClientUnaryCall;
  
  Get(argument: _cosi_resource_GetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_GetResponse__Output>): grpc.ClientUnaryCall;
  Get(argument: _cosi_resource_GetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_GetResponse__Output>): grpc.ClientUnaryCall;
  Get(argument: _cosi_resource_GetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_GetResponse__Output>): grpc.ClientUnaryCall;
  Get(argument: _cosi_resource_GetRequest, callback: grpc.requestCallback<_cosi_resource_GetResponse__Output>): grpc.ClientUnaryCall;
  get(argument: _cosi_resource_GetRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_GetResponse__Output>): grpc.ClientUnaryCall;
  get(argument: _cosi_resource_GetRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_GetResponse__Output>): grpc.ClientUnaryCall;
  get(argument: _cosi_resource_GetRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_GetResponse__Output>): grpc.ClientUnaryCall;
  get(argument: _cosi_resource_GetRequest, callback: grpc.requestCallback<_cosi_resource_GetResponse__Output>): grpc.ClientUnaryCall;
  
  List(argument: _cosi_resource_ListRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_cosi_resource_ListResponse__Output>;
  List(argument: _cosi_resource_ListRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_cosi_resource_ListResponse__Output>;
  list(argument: _cosi_resource_ListRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_cosi_resource_ListResponse__Output>;
  list(argument: _cosi_resource_ListRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_cosi_resource_ListResponse__Output>;
  
  Teardown(argument: _cosi_resource_TeardownRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_TeardownResponse__Output>): grpc.ClientUnaryCall;
  Teardown(argument: _cosi_resource_TeardownRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_TeardownResponse__Output>): grpc.ClientUnaryCall;
  Teardown(argument: _cosi_resource_TeardownRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_TeardownResponse__Output>): grpc.ClientUnaryCall;
  Teardown(argument: _cosi_resource_TeardownRequest, callback: grpc.requestCallback<_cosi_resource_TeardownResponse__Output>): grpc.ClientUnaryCall;
  teardown(argument: _cosi_resource_TeardownRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_TeardownResponse__Output>): grpc.ClientUnaryCall;
  teardown(argument: _cosi_resource_TeardownRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_TeardownResponse__Output>): grpc.ClientUnaryCall;
  teardown(argument: _cosi_resource_TeardownRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_TeardownResponse__Output>): grpc.ClientUnaryCall;
  teardown(argument: _cosi_resource_TeardownRequest, callback: grpc.requestCallback<_cosi_resource_TeardownResponse__Output>): grpc.ClientUnaryCall;
  
  TeardownAndDestroy(argument: _cosi_resource_TeardownAndDestroyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_TeardownAndDestroyResponse__Output>): grpc.ClientUnaryCall;
  TeardownAndDestroy(argument: _cosi_resource_TeardownAndDestroyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_TeardownAndDestroyResponse__Output>): grpc.ClientUnaryCall;
  TeardownAndDestroy(argument: _cosi_resource_TeardownAndDestroyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_TeardownAndDestroyResponse__Output>): grpc.ClientUnaryCall;
  TeardownAndDestroy(argument: _cosi_resource_TeardownAndDestroyRequest, callback: grpc.requestCallback<_cosi_resource_TeardownAndDestroyResponse__Output>): grpc.ClientUnaryCall;
  teardownAndDestroy(argument: _cosi_resource_TeardownAndDestroyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_TeardownAndDestroyResponse__Output>): grpc.ClientUnaryCall;
  teardownAndDestroy(argument: _cosi_resource_TeardownAndDestroyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_TeardownAndDestroyResponse__Output>): grpc.ClientUnaryCall;
  teardownAndDestroy(argument: _cosi_resource_TeardownAndDestroyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_TeardownAndDestroyResponse__Output>): grpc.ClientUnaryCall;
  teardownAndDestroy(argument: _cosi_resource_TeardownAndDestroyRequest, callback: grpc.requestCallback<_cosi_resource_TeardownAndDestroyResponse__Output>): grpc.ClientUnaryCall;
  
  Update(argument: _cosi_resource_UpdateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_UpdateResponse__Output>): grpc.ClientUnaryCall;
  Update(argument: _cosi_resource_UpdateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_UpdateResponse__Output>): grpc.ClientUnaryCall;
  Update(argument: _cosi_resource_UpdateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_UpdateResponse__Output>): grpc.ClientUnaryCall;
  Update(argument: _cosi_resource_UpdateRequest, callback: grpc.requestCallback<_cosi_resource_UpdateResponse__Output>): grpc.ClientUnaryCall;
  update(argument: _cosi_resource_UpdateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_UpdateResponse__Output>): grpc.ClientUnaryCall;
  update(argument: _cosi_resource_UpdateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_cosi_resource_UpdateResponse__Output>): grpc.ClientUnaryCall;
  update(argument: _cosi_resource_UpdateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_cosi_resource_UpdateResponse__Output>): grpc.ClientUnaryCall;
  update(argument: _cosi_resource_UpdateRequest, callback: grpc.requestCallback<_cosi_resource_UpdateResponse__Output>): grpc.ClientUnaryCall;
  
  Watch(argument: _cosi_resource_WatchRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_cosi_resource_WatchResponse__Output>;
  Watch(argument: _cosi_resource_WatchRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_cosi_resource_WatchResponse__Output>;
  watch(argument: _cosi_resource_WatchRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_cosi_resource_WatchResponse__Output>;
  watch(argument: _cosi_resource_WatchRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_cosi_resource_WatchResponse__Output>;
  
}

export interface StateHandlers extends grpc.UntypedServiceImplementation {
  Create: grpc.handleUnaryCall<_cosi_resource_CreateRequest__Output, _cosi_resource_CreateResponse>;
  
  Destroy: grpc.handleUnaryCall<_cosi_resource_DestroyRequest__Output, _cosi_resource_DestroyResponse>;
  
  Get: grpc.handleUnaryCall<_cosi_resource_GetRequest__Output, _cosi_resource_GetResponse>;
  
  List: grpc.handleServerStreamingCall<_cosi_resource_ListRequest__Output, _cosi_resource_ListResponse>;
  
  Teardown: grpc.handleUnaryCall<_cosi_resource_TeardownRequest__Output, _cosi_resource_TeardownResponse>;
  
  TeardownAndDestroy: grpc.handleUnaryCall<_cosi_resource_TeardownAndDestroyRequest__Output, _cosi_resource_TeardownAndDestroyResponse>;
  
  Update: grpc.handleUnaryCall<_cosi_resource_UpdateRequest__Output, _cosi_resource_UpdateResponse>;
  
  Watch: grpc.handleServerStreamingCall<_cosi_resource_WatchRequest__Output, _cosi_resource_WatchResponse>;
  
}

export interface StateDefinition extends grpc.ServiceDefinition {
  Create: MethodDefinition<_cosi_resource_CreateRequest, _cosi_resource_CreateResponse, _cosi_resource_CreateRequest__Output, _cosi_resource_CreateResponse__Output>
  Destroy: MethodDefinition<_cosi_resource_DestroyRequest, _cosi_resource_DestroyResponse, _cosi_resource_DestroyRequest__Output, _cosi_resource_DestroyResponse__Output>
  Get: MethodDefinition<_cosi_resource_GetRequest, _cosi_resource_GetResponse, _cosi_resource_GetRequest__Output, _cosi_resource_GetResponse__Output>
  List: MethodDefinition<_cosi_resource_ListRequest, _cosi_resource_ListResponse, _cosi_resource_ListRequest__Output, _cosi_resource_ListResponse__Output>
  Teardown: MethodDefinition<_cosi_resource_TeardownRequest, _cosi_resource_TeardownResponse, _cosi_resource_TeardownRequest__Output, _cosi_resource_TeardownResponse__Output>
  TeardownAndDestroy: MethodDefinition<_cosi_resource_TeardownAndDestroyRequest, _cosi_resource_TeardownAndDestroyResponse, _cosi_resource_TeardownAndDestroyRequest__Output, _cosi_resource_TeardownAndDestroyResponse__Output>
  Update: MethodDefinition<_cosi_resource_UpdateRequest, _cosi_resource_UpdateResponse, _cosi_resource_UpdateRequest__Output, _cosi_resource_UpdateResponse__Output>
  Watch: MethodDefinition<_cosi_resource_WatchRequest, _cosi_resource_WatchResponse, _cosi_resource_WatchRequest__Output, _cosi_resource_WatchResponse__Output>
}
