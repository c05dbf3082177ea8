import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

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
import type { Empty as _google_protobuf_Empty, Empty__Output as _google_protobuf_Empty__Output } from './google/protobuf/Empty';
import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from './google/protobuf/Timestamp';
import type { Status as _google_rpc_Status, Status__Output as _google_rpc_Status__Output } from './google/rpc/Status';
import type { ImageServiceClient as _machine_ImageServiceClient, ImageServiceDefinition as _machine_ImageServiceDefinition } from './machine/ImageService';
import type { ImageServiceCredentials as _machine_ImageServiceCredentials, ImageServiceCredentials__Output as _machine_ImageServiceCredentials__Output } from './machine/ImageServiceCredentials';
import type { ImageServiceImportRequest as _machine_ImageServiceImportRequest, ImageServiceImportRequest__Output as _machine_ImageServiceImportRequest__Output } from './machine/ImageServiceImportRequest';
import type { ImageServiceImportResponse as _machine_ImageServiceImportResponse, ImageServiceImportResponse__Output as _machine_ImageServiceImportResponse__Output } from './machine/ImageServiceImportResponse';
import type { ImageServiceListRequest as _machine_ImageServiceListRequest, ImageServiceListRequest__Output as _machine_ImageServiceListRequest__Output } from './machine/ImageServiceListRequest';
import type { ImageServiceListResponse as _machine_ImageServiceListResponse, ImageServiceListResponse__Output as _machine_ImageServiceListResponse__Output } from './machine/ImageServiceListResponse';
import type { ImageServicePullLayerProgress as _machine_ImageServicePullLayerProgress, ImageServicePullLayerProgress__Output as _machine_ImageServicePullLayerProgress__Output } from './machine/ImageServicePullLayerProgress';
import type { ImageServicePullProgress as _machine_ImageServicePullProgress, ImageServicePullProgress__Output as _machine_ImageServicePullProgress__Output } from './machine/ImageServicePullProgress';
import type { ImageServicePullRequest as _machine_ImageServicePullRequest, ImageServicePullRequest__Output as _machine_ImageServicePullRequest__Output } from './machine/ImageServicePullRequest';
import type { ImageServicePullResponse as _machine_ImageServicePullResponse, ImageServicePullResponse__Output as _machine_ImageServicePullResponse__Output } from './machine/ImageServicePullResponse';
import type { ImageServiceRemoveRequest as _machine_ImageServiceRemoveRequest, ImageServiceRemoveRequest__Output as _machine_ImageServiceRemoveRequest__Output } from './machine/ImageServiceRemoveRequest';
import type { ImageServiceVerifyRequest as _machine_ImageServiceVerifyRequest, ImageServiceVerifyRequest__Output as _machine_ImageServiceVerifyRequest__Output } from './machine/ImageServiceVerifyRequest';
import type { ImageServiceVerifyResponse as _machine_ImageServiceVerifyResponse, ImageServiceVerifyResponse__Output as _machine_ImageServiceVerifyResponse__Output } from './machine/ImageServiceVerifyResponse';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
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
      Empty: MessageTypeDefinition<_google_protobuf_Empty, _google_protobuf_Empty__Output>
      Timestamp: MessageTypeDefinition<_google_protobuf_Timestamp, _google_protobuf_Timestamp__Output>
    }
    rpc: {
      Status: MessageTypeDefinition<_google_rpc_Status, _google_rpc_Status__Output>
    }
  }
  machine: {
    ImageService: SubtypeConstructor<typeof grpc.Client, _machine_ImageServiceClient> & { service: _machine_ImageServiceDefinition }
    ImageServiceCredentials: MessageTypeDefinition<_machine_ImageServiceCredentials, _machine_ImageServiceCredentials__Output>
    ImageServiceImportRequest: MessageTypeDefinition<_machine_ImageServiceImportRequest, _machine_ImageServiceImportRequest__Output>
    ImageServiceImportResponse: MessageTypeDefinition<_machine_ImageServiceImportResponse, _machine_ImageServiceImportResponse__Output>
    ImageServiceListRequest: MessageTypeDefinition<_machine_ImageServiceListRequest, _machine_ImageServiceListRequest__Output>
    ImageServiceListResponse: MessageTypeDefinition<_machine_ImageServiceListResponse, _machine_ImageServiceListResponse__Output>
    ImageServicePullLayerProgress: MessageTypeDefinition<_machine_ImageServicePullLayerProgress, _machine_ImageServicePullLayerProgress__Output>
    ImageServicePullProgress: MessageTypeDefinition<_machine_ImageServicePullProgress, _machine_ImageServicePullProgress__Output>
    ImageServicePullRequest: MessageTypeDefinition<_machine_ImageServicePullRequest, _machine_ImageServicePullRequest__Output>
    ImageServicePullResponse: MessageTypeDefinition<_machine_ImageServicePullResponse, _machine_ImageServicePullResponse__Output>
    ImageServiceRemoveRequest: MessageTypeDefinition<_machine_ImageServiceRemoveRequest, _machine_ImageServiceRemoveRequest__Output>
    ImageServiceVerifyRequest: MessageTypeDefinition<_machine_ImageServiceVerifyRequest, _machine_ImageServiceVerifyRequest__Output>
    ImageServiceVerifyResponse: MessageTypeDefinition<_machine_ImageServiceVerifyResponse, _machine_ImageServiceVerifyResponse__Output>
  }
}

