import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from './google/protobuf/Empty';
import type { MDDestroyRequest as _machine_MDDestroyRequest, MDDestroyRequest__Output as _machine_MDDestroyRequest__Output } from './machine/MDDestroyRequest';
import type { MDServiceClient as _machine_MDServiceClient, MDServiceDefinition as _machine_MDServiceDefinition } from './machine/MDService';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  google: {
    protobuf: {
      Empty: MessageTypeDefinition<_google_protobuf_Empty, _google_protobuf_Empty__Output>
    }
  }
  machine: {
    MDDestroyRequest: MessageTypeDefinition<_machine_MDDestroyRequest, _machine_MDDestroyRequest__Output>
    MDService: SubtypeConstructor<typeof grpc.Client, _machine_MDServiceClient> & { service: _machine_MDServiceDefinition }
  }
}

