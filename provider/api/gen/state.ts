import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { CreateOptions as _cosi_resource_CreateOptions, CreateOptions__Output as _cosi_resource_CreateOptions__Output } from './cosi/resource/CreateOptions';
import type { CreateRequest as _cosi_resource_CreateRequest, CreateRequest__Output as _cosi_resource_CreateRequest__Output } from './cosi/resource/CreateRequest';
import type { CreateResponse as _cosi_resource_CreateResponse, CreateResponse__Output as _cosi_resource_CreateResponse__Output } from './cosi/resource/CreateResponse';
import type { DestroyOptions as _cosi_resource_DestroyOptions, DestroyOptions__Output as _cosi_resource_DestroyOptions__Output } from './cosi/resource/DestroyOptions';
import type { DestroyRequest as _cosi_resource_DestroyRequest, DestroyRequest__Output as _cosi_resource_DestroyRequest__Output } from './cosi/resource/DestroyRequest';
import type { DestroyResponse as _cosi_resource_DestroyResponse, DestroyResponse__Output as _cosi_resource_DestroyResponse__Output } from './cosi/resource/DestroyResponse';
import type { Event as _cosi_resource_Event, Event__Output as _cosi_resource_Event__Output } from './cosi/resource/Event';
import type { GetOptions as _cosi_resource_GetOptions, GetOptions__Output as _cosi_resource_GetOptions__Output } from './cosi/resource/GetOptions';
import type { GetRequest as _cosi_resource_GetRequest, GetRequest__Output as _cosi_resource_GetRequest__Output } from './cosi/resource/GetRequest';
import type { GetResponse as _cosi_resource_GetResponse, GetResponse__Output as _cosi_resource_GetResponse__Output } from './cosi/resource/GetResponse';
import type { IDQuery as _cosi_resource_IDQuery, IDQuery__Output as _cosi_resource_IDQuery__Output } from './cosi/resource/IDQuery';
import type { LabelQuery as _cosi_resource_LabelQuery, LabelQuery__Output as _cosi_resource_LabelQuery__Output } from './cosi/resource/LabelQuery';
import type { LabelTerm as _cosi_resource_LabelTerm, LabelTerm__Output as _cosi_resource_LabelTerm__Output } from './cosi/resource/LabelTerm';
import type { ListOptions as _cosi_resource_ListOptions, ListOptions__Output as _cosi_resource_ListOptions__Output } from './cosi/resource/ListOptions';
import type { ListRequest as _cosi_resource_ListRequest, ListRequest__Output as _cosi_resource_ListRequest__Output } from './cosi/resource/ListRequest';
import type { ListResponse as _cosi_resource_ListResponse, ListResponse__Output as _cosi_resource_ListResponse__Output } from './cosi/resource/ListResponse';
import type { Metadata as _cosi_resource_Metadata, Metadata__Output as _cosi_resource_Metadata__Output } from './cosi/resource/Metadata';
import type { Resource as _cosi_resource_Resource, Resource__Output as _cosi_resource_Resource__Output } from './cosi/resource/Resource';
import type { Spec as _cosi_resource_Spec, Spec__Output as _cosi_resource_Spec__Output } from './cosi/resource/Spec';
import type { StateClient as _cosi_resource_StateClient, StateDefinition as _cosi_resource_StateDefinition } from './cosi/resource/State';
import type { TeardownAndDestroyOptions as _cosi_resource_TeardownAndDestroyOptions, TeardownAndDestroyOptions__Output as _cosi_resource_TeardownAndDestroyOptions__Output } from './cosi/resource/TeardownAndDestroyOptions';
import type { TeardownAndDestroyRequest as _cosi_resource_TeardownAndDestroyRequest, TeardownAndDestroyRequest__Output as _cosi_resource_TeardownAndDestroyRequest__Output } from './cosi/resource/TeardownAndDestroyRequest';
import type { TeardownAndDestroyResponse as _cosi_resource_TeardownAndDestroyResponse, TeardownAndDestroyResponse__Output as _cosi_resource_TeardownAndDestroyResponse__Output } from './cosi/resource/TeardownAndDestroyResponse';
import type { TeardownOptions as _cosi_resource_TeardownOptions, TeardownOptions__Output as _cosi_resource_TeardownOptions__Output } from './cosi/resource/TeardownOptions';
import type { TeardownRequest as _cosi_resource_TeardownRequest, TeardownRequest__Output as _cosi_resource_TeardownRequest__Output } from './cosi/resource/TeardownRequest';
import type { TeardownResponse as _cosi_resource_TeardownResponse, TeardownResponse__Output as _cosi_resource_TeardownResponse__Output } from './cosi/resource/TeardownResponse';
import type { UpdateOptions as _cosi_resource_UpdateOptions, UpdateOptions__Output as _cosi_resource_UpdateOptions__Output } from './cosi/resource/UpdateOptions';
import type { UpdateRequest as _cosi_resource_UpdateRequest, UpdateRequest__Output as _cosi_resource_UpdateRequest__Output } from './cosi/resource/UpdateRequest';
import type { UpdateResponse as _cosi_resource_UpdateResponse, UpdateResponse__Output as _cosi_resource_UpdateResponse__Output } from './cosi/resource/UpdateResponse';
import type { WatchOptions as _cosi_resource_WatchOptions, WatchOptions__Output as _cosi_resource_WatchOptions__Output } from './cosi/resource/WatchOptions';
import type { WatchRequest as _cosi_resource_WatchRequest, WatchRequest__Output as _cosi_resource_WatchRequest__Output } from './cosi/resource/WatchRequest';
import type { WatchResponse as _cosi_resource_WatchResponse, WatchResponse__Output as _cosi_resource_WatchResponse__Output } from './cosi/resource/WatchResponse';
import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from './google/protobuf/Timestamp';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  cosi: {
    resource: {
      CreateOptions: MessageTypeDefinition<_cosi_resource_CreateOptions, _cosi_resource_CreateOptions__Output>
      CreateRequest: MessageTypeDefinition<_cosi_resource_CreateRequest, _cosi_resource_CreateRequest__Output>
      CreateResponse: MessageTypeDefinition<_cosi_resource_CreateResponse, _cosi_resource_CreateResponse__Output>
      DestroyOptions: MessageTypeDefinition<_cosi_resource_DestroyOptions, _cosi_resource_DestroyOptions__Output>
      DestroyRequest: MessageTypeDefinition<_cosi_resource_DestroyRequest, _cosi_resource_DestroyRequest__Output>
      DestroyResponse: MessageTypeDefinition<_cosi_resource_DestroyResponse, _cosi_resource_DestroyResponse__Output>
      Event: MessageTypeDefinition<_cosi_resource_Event, _cosi_resource_Event__Output>
      EventType: EnumTypeDefinition
      GetOptions: MessageTypeDefinition<_cosi_resource_GetOptions, _cosi_resource_GetOptions__Output>
      GetRequest: MessageTypeDefinition<_cosi_resource_GetRequest, _cosi_resource_GetRequest__Output>
      GetResponse: MessageTypeDefinition<_cosi_resource_GetResponse, _cosi_resource_GetResponse__Output>
      IDQuery: MessageTypeDefinition<_cosi_resource_IDQuery, _cosi_resource_IDQuery__Output>
      LabelQuery: MessageTypeDefinition<_cosi_resource_LabelQuery, _cosi_resource_LabelQuery__Output>
      LabelTerm: MessageTypeDefinition<_cosi_resource_LabelTerm, _cosi_resource_LabelTerm__Output>
      ListOptions: MessageTypeDefinition<_cosi_resource_ListOptions, _cosi_resource_ListOptions__Output>
      ListRequest: MessageTypeDefinition<_cosi_resource_ListRequest, _cosi_resource_ListRequest__Output>
      ListResponse: MessageTypeDefinition<_cosi_resource_ListResponse, _cosi_resource_ListResponse__Output>
      Metadata: MessageTypeDefinition<_cosi_resource_Metadata, _cosi_resource_Metadata__Output>
      Resource: MessageTypeDefinition<_cosi_resource_Resource, _cosi_resource_Resource__Output>
      Spec: MessageTypeDefinition<_cosi_resource_Spec, _cosi_resource_Spec__Output>
      State: SubtypeConstructor<typeof grpc.Client, _cosi_resource_StateClient> & { service: _cosi_resource_StateDefinition }
      TeardownAndDestroyOptions: MessageTypeDefinition<_cosi_resource_TeardownAndDestroyOptions, _cosi_resource_TeardownAndDestroyOptions__Output>
      TeardownAndDestroyRequest: MessageTypeDefinition<_cosi_resource_TeardownAndDestroyRequest, _cosi_resource_TeardownAndDestroyRequest__Output>
      TeardownAndDestroyResponse: MessageTypeDefinition<_cosi_resource_TeardownAndDestroyResponse, _cosi_resource_TeardownAndDestroyResponse__Output>
      TeardownOptions: MessageTypeDefinition<_cosi_resource_TeardownOptions, _cosi_resource_TeardownOptions__Output>
      TeardownRequest: MessageTypeDefinition<_cosi_resource_TeardownRequest, _cosi_resource_TeardownRequest__Output>
      TeardownResponse: MessageTypeDefinition<_cosi_resource_TeardownResponse, _cosi_resource_TeardownResponse__Output>
      UpdateOptions: MessageTypeDefinition<_cosi_resource_UpdateOptions, _cosi_resource_UpdateOptions__Output>
      UpdateRequest: MessageTypeDefinition<_cosi_resource_UpdateRequest, _cosi_resource_UpdateRequest__Output>
      UpdateResponse: MessageTypeDefinition<_cosi_resource_UpdateResponse, _cosi_resource_UpdateResponse__Output>
      WatchOptions: MessageTypeDefinition<_cosi_resource_WatchOptions, _cosi_resource_WatchOptions__Output>
      WatchRequest: MessageTypeDefinition<_cosi_resource_WatchRequest, _cosi_resource_WatchRequest__Output>
      WatchResponse: MessageTypeDefinition<_cosi_resource_WatchResponse, _cosi_resource_WatchResponse__Output>
    }
  }
  google: {
    protobuf: {
      Timestamp: MessageTypeDefinition<_google_protobuf_Timestamp, _google_protobuf_Timestamp__Output>
    }
  }
}

