import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { ClusterInfo as _cluster_ClusterInfo, ClusterInfo__Output as _cluster_ClusterInfo__Output } from './cluster/ClusterInfo';
import type { ClusterServiceClient as _cluster_ClusterServiceClient, ClusterServiceDefinition as _cluster_ClusterServiceDefinition } from './cluster/ClusterService';
import type { HealthCheckProgress as _cluster_HealthCheckProgress, HealthCheckProgress__Output as _cluster_HealthCheckProgress__Output } from './cluster/HealthCheckProgress';
import type { HealthCheckRequest as _cluster_HealthCheckRequest, HealthCheckRequest__Output as _cluster_HealthCheckRequest__Output } from './cluster/HealthCheckRequest';
import type { ContainerdInstance as _common_ContainerdInstance, ContainerdInstance__Output as _common_ContainerdInstance__Output } from './common/ContainerdInstance';
import type { Data as _common_Data, Data__Output as _common_Data__Output } from './common/Data';
import type { DataResponse as _common_DataResponse, DataResponse__Output as _common_DataResponse__Output } from './common/DataResponse';
import type { Empty as _common_Empty, Empty__Output as _common_Empty__Output } from './common/Empty';
import type { EmptyResponse as _common_EmptyResponse, EmptyResponse__Output as _common_EmptyResponse__Output } from './common/EmptyResponse';
import type { Error as _common_Error, Error__Output as _common_Error__Output } from './common/Error';
import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from './common/Metadata';
import type { NetIP as _common_NetIP, NetIP__Output as _common_NetIP__Output } from './common/NetIP';
import type { NetIPPort as _common_NetIPPort, NetIPPort__Output as _common_NetIPPort__Output } from './common/NetIPPort';
import type { NetIPPrefix as _common_NetIPPrefix, NetIPPrefix__Output as _common_NetIPPrefix__Output } from './common/NetIPPrefix';
import type { PEMEncodedCertificate as _common_PEMEncodedCertificate, PEMEncodedCertificate__Output as _common_PEMEncodedCertificate__Output } from './common/PEMEncodedCertificate';
import type { PEMEncodedCertificateAndKey as _common_PEMEncodedCertificateAndKey, PEMEncodedCertificateAndKey__Output as _common_PEMEncodedCertificateAndKey__Output } from './common/PEMEncodedCertificateAndKey';
import type { PEMEncodedKey as _common_PEMEncodedKey, PEMEncodedKey__Output as _common_PEMEncodedKey__Output } from './common/PEMEncodedKey';
import type { URL as _common_URL, URL__Output as _common_URL__Output } from './common/URL';
import type { Any as _google_protobuf_Any, Any__Output as _google_protobuf_Any__Output } from './google/protobuf/Any';
import type { Duration as _google_protobuf_Duration, Duration__Output as _google_protobuf_Duration__Output } from './google/protobuf/Duration';
import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from './google/rpc/Status';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  cluster: {
    ClusterInfo: MessageTypeDefinition<_cluster_ClusterInfo, _cluster_ClusterInfo__Output>
    ClusterService: SubtypeConstructor<typeof grpc.Client, _cluster_ClusterServiceClient> & { service: _cluster_ClusterServiceDefinition }
    HealthCheckProgress: MessageTypeDefinition<_cluster_HealthCheckProgress, _cluster_HealthCheckProgress__Output>
    HealthCheckRequest: MessageTypeDefinition<_cluster_HealthCheckRequest, _cluster_HealthCheckRequest__Output>
  }
  common: {
    Code: EnumTypeDefinition
    ContainerDriver: EnumTypeDefinition
    ContainerdInstance: MessageTypeDefinition<_common_ContainerdInstance, _common_ContainerdInstance__Output>
    ContainerdNamespace: EnumTypeDefinition
    Data: MessageTypeDefinition<_common_Data, _common_Data__Output>
    DataResponse: MessageTypeDefinition<_common_DataResponse, _common_DataResponse__Output>
    Empty: MessageTypeDefinition<_common_Empty, _common_Empty__Output>
    EmptyResponse: MessageTypeDefinition<_common_EmptyResponse, _common_EmptyResponse__Output>
    Error: MessageTypeDefinition<_common_Error, _common_Error__Output>
    Metadata: MessageTypeDefinition<_common_Metadata, _common_Metadata__Output>
    NetIP: MessageTypeDefinition<_common_NetIP, _common_NetIP__Output>
    NetIPPort: MessageTypeDefinition<_common_NetIPPort, _common_NetIPPort__Output>
    NetIPPrefix: MessageTypeDefinition<_common_NetIPPrefix, _common_NetIPPrefix__Output>
    PEMEncodedCertificate: MessageTypeDefinition<_common_PEMEncodedCertificate, _common_PEMEncodedCertificate__Output>
    PEMEncodedCertificateAndKey: MessageTypeDefinition<_common_PEMEncodedCertificateAndKey, _common_PEMEncodedCertificateAndKey__Output>
    PEMEncodedKey: MessageTypeDefinition<_common_PEMEncodedKey, _common_PEMEncodedKey__Output>
    URL: MessageTypeDefinition<_common_URL, _common_URL__Output>
  }
  google: {
    protobuf: {
      Any: MessageTypeDefinition<_google_protobuf_Any, _google_protobuf_Any__Output>
      Duration: MessageTypeDefinition<_google_protobuf_Duration, _google_protobuf_Duration__Output>
    }
    rpc: {
      Status: MessageTypeDefinition<_google_rpc_Status, _google_rpc_Status__Output>
    }
  }
}

