// Original file: provider/api/proto/machine/lvm.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from '../google/protobuf/Empty';
import type { LVMServiceLogicalVolumeRemoveRequest as _machine_LVMServiceLogicalVolumeRemoveRequest, LVMServiceLogicalVolumeRemoveRequest__Output as _machine_LVMServiceLogicalVolumeRemoveRequest__Output } from '../machine/LVMServiceLogicalVolumeRemoveRequest';
import type { LVMServicePhysicalVolumeRemoveRequest as _machine_LVMServicePhysicalVolumeRemoveRequest, LVMServicePhysicalVolumeRemoveRequest__Output as _machine_LVMServicePhysicalVolumeRemoveRequest__Output } from '../machine/LVMServicePhysicalVolumeRemoveRequest';
import type { LVMServiceVolumeGroupRemoveRequest as _machine_LVMServiceVolumeGroupRemoveRequest, LVMServiceVolumeGroupRemoveRequest__Output as _machine_LVMServiceVolumeGroupRemoveRequest__Output } from '../machine/LVMServiceVolumeGroupRemoveRequest';

export interface LVMServiceClient extends grpc.Client {
  LogicalVolumeRemove(argument: _machine_LVMServiceLogicalVolumeRemoveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  LogicalVolumeRemove(argument: _machine_LVMServiceLogicalVolumeRemoveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  LogicalVolumeRemove(argument: _machine_LVMServiceLogicalVolumeRemoveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  LogicalVolumeRemove(argument: _machine_LVMServiceLogicalVolumeRemoveRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  logicalVolumeRemove(argument: _machine_LVMServiceLogicalVolumeRemoveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  logicalVolumeRemove(argument: _machine_LVMServiceLogicalVolumeRemoveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  logicalVolumeRemove(argument: _machine_LVMServiceLogicalVolumeRemoveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  logicalVolumeRemove(argument: _machine_LVMServiceLogicalVolumeRemoveRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  PhysicalVolumeRemove(argument: _machine_LVMServicePhysicalVolumeRemoveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  PhysicalVolumeRemove(argument: _machine_LVMServicePhysicalVolumeRemoveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  PhysicalVolumeRemove(argument: _machine_LVMServicePhysicalVolumeRemoveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  PhysicalVolumeRemove(argument: _machine_LVMServicePhysicalVolumeRemoveRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  physicalVolumeRemove(argument: _machine_LVMServicePhysicalVolumeRemoveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  physicalVolumeRemove(argument: _machine_LVMServicePhysicalVolumeRemoveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  physicalVolumeRemove(argument: _machine_LVMServicePhysicalVolumeRemoveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  physicalVolumeRemove(argument: _machine_LVMServicePhysicalVolumeRemoveRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
  VolumeGroupRemove(argument: _machine_LVMServiceVolumeGroupRemoveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  VolumeGroupRemove(argument: _machine_LVMServiceVolumeGroupRemoveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  VolumeGroupRemove(argument: _machine_LVMServiceVolumeGroupRemoveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  VolumeGroupRemove(argument: _machine_LVMServiceVolumeGroupRemoveRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  volumeGroupRemove(argument: _machine_LVMServiceVolumeGroupRemoveRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  volumeGroupRemove(argument: _machine_LVMServiceVolumeGroupRemoveRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  volumeGroupRemove(argument: _machine_LVMServiceVolumeGroupRemoveRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  volumeGroupRemove(argument: _machine_LVMServiceVolumeGroupRemoveRequest, callback: grpc.requestCallback<_google_protobuf_Empty__Output>): grpc.ClientUnaryCall;
  
}

export interface LVMServiceHandlers extends grpc.UntypedServiceImplementation {
  LogicalVolumeRemove: grpc.handleUnaryCall<_machine_LVMServiceLogicalVolumeRemoveRequest__Output, _google_protobuf_Empty>;
  
  PhysicalVolumeRemove: grpc.handleUnaryCall<_machine_LVMServicePhysicalVolumeRemoveRequest__Output, _google_protobuf_Empty>;
  
  VolumeGroupRemove: grpc.handleUnaryCall<_machine_LVMServiceVolumeGroupRemoveRequest__Output, _google_protobuf_Empty>;
  
}

export interface LVMServiceDefinition extends grpc.ServiceDefinition {
  LogicalVolumeRemove: MethodDefinition<_machine_LVMServiceLogicalVolumeRemoveRequest, _google_protobuf_Empty, _machine_LVMServiceLogicalVolumeRemoveRequest__Output, _google_protobuf_Empty__Output>
  PhysicalVolumeRemove: MethodDefinition<_machine_LVMServicePhysicalVolumeRemoveRequest, _google_protobuf_Empty, _machine_LVMServicePhysicalVolumeRemoveRequest__Output, _google_protobuf_Empty__Output>
  VolumeGroupRemove: MethodDefinition<_machine_LVMServiceVolumeGroupRemoveRequest, _google_protobuf_Empty, _machine_LVMServiceVolumeGroupRemoveRequest__Output, _google_protobuf_Empty__Output>
}
