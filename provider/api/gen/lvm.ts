import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from './google/protobuf/Empty';
import type { LVMServiceClient as _machine_LVMServiceClient, LVMServiceDefinition as _machine_LVMServiceDefinition } from './machine/LVMService';
import type { LVMServiceLogicalVolumeRemoveRequest as _machine_LVMServiceLogicalVolumeRemoveRequest, LVMServiceLogicalVolumeRemoveRequest__Output as _machine_LVMServiceLogicalVolumeRemoveRequest__Output } from './machine/LVMServiceLogicalVolumeRemoveRequest';
import type { LVMServicePhysicalVolumeRemoveRequest as _machine_LVMServicePhysicalVolumeRemoveRequest, LVMServicePhysicalVolumeRemoveRequest__Output as _machine_LVMServicePhysicalVolumeRemoveRequest__Output } from './machine/LVMServicePhysicalVolumeRemoveRequest';
import type { LVMServiceVolumeGroupRemoveRequest as _machine_LVMServiceVolumeGroupRemoveRequest, LVMServiceVolumeGroupRemoveRequest__Output as _machine_LVMServiceVolumeGroupRemoveRequest__Output } from './machine/LVMServiceVolumeGroupRemoveRequest';

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
    LVMService: SubtypeConstructor<typeof grpc.Client, _machine_LVMServiceClient> & { service: _machine_LVMServiceDefinition }
    LVMServiceLogicalVolumeRemoveRequest: MessageTypeDefinition<_machine_LVMServiceLogicalVolumeRemoveRequest, _machine_LVMServiceLogicalVolumeRemoveRequest__Output>
    LVMServicePhysicalVolumeRemoveRequest: MessageTypeDefinition<_machine_LVMServicePhysicalVolumeRemoveRequest, _machine_LVMServicePhysicalVolumeRemoveRequest__Output>
    LVMServiceVolumeGroupRemoveRequest: MessageTypeDefinition<_machine_LVMServiceVolumeGroupRemoveRequest, _machine_LVMServiceVolumeGroupRemoveRequest__Output>
  }
}

