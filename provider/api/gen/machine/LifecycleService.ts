// Original file: provider/api/proto/machine/lifecycle.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { LifecycleServiceInstallRequest as _machine_LifecycleServiceInstallRequest, LifecycleServiceInstallRequest__Output as _machine_LifecycleServiceInstallRequest__Output } from '../machine/LifecycleServiceInstallRequest';
import type { LifecycleServiceInstallResponse as _machine_LifecycleServiceInstallResponse, LifecycleServiceInstallResponse__Output as _machine_LifecycleServiceInstallResponse__Output } from '../machine/LifecycleServiceInstallResponse';
import type { LifecycleServiceUpgradeRequest as _machine_LifecycleServiceUpgradeRequest, LifecycleServiceUpgradeRequest__Output as _machine_LifecycleServiceUpgradeRequest__Output } from '../machine/LifecycleServiceUpgradeRequest';
import type { LifecycleServiceUpgradeResponse as _machine_LifecycleServiceUpgradeResponse, LifecycleServiceUpgradeResponse__Output as _machine_LifecycleServiceUpgradeResponse__Output } from '../machine/LifecycleServiceUpgradeResponse';

export interface LifecycleServiceClient extends grpc.Client {
  Install(argument: _machine_LifecycleServiceInstallRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_LifecycleServiceInstallResponse__Output>;
  Install(argument: _machine_LifecycleServiceInstallRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_LifecycleServiceInstallResponse__Output>;
  install(argument: _machine_LifecycleServiceInstallRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_LifecycleServiceInstallResponse__Output>;
  install(argument: _machine_LifecycleServiceInstallRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_LifecycleServiceInstallResponse__Output>;
  
  Upgrade(argument: _machine_LifecycleServiceUpgradeRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_LifecycleServiceUpgradeResponse__Output>;
  Upgrade(argument: _machine_LifecycleServiceUpgradeRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_LifecycleServiceUpgradeResponse__Output>;
  upgrade(argument: _machine_LifecycleServiceUpgradeRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_LifecycleServiceUpgradeResponse__Output>;
  upgrade(argument: _machine_LifecycleServiceUpgradeRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_machine_LifecycleServiceUpgradeResponse__Output>;
  
}

export interface LifecycleServiceHandlers extends grpc.UntypedServiceImplementation {
  Install: grpc.handleServerStreamingCall<_machine_LifecycleServiceInstallRequest__Output, _machine_LifecycleServiceInstallResponse>;
  
  Upgrade: grpc.handleServerStreamingCall<_machine_LifecycleServiceUpgradeRequest__Output, _machine_LifecycleServiceUpgradeResponse>;
  
}

export interface LifecycleServiceDefinition extends grpc.ServiceDefinition {
  Install: MethodDefinition<_machine_LifecycleServiceInstallRequest, _machine_LifecycleServiceInstallResponse, _machine_LifecycleServiceInstallRequest__Output, _machine_LifecycleServiceInstallResponse__Output>
  Upgrade: MethodDefinition<_machine_LifecycleServiceUpgradeRequest, _machine_LifecycleServiceUpgradeResponse, _machine_LifecycleServiceUpgradeRequest__Output, _machine_LifecycleServiceUpgradeResponse__Output>
}
