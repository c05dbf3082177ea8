import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { CertificateRequest as _securityapi_CertificateRequest, CertificateRequest__Output as _securityapi_CertificateRequest__Output } from './securityapi/CertificateRequest';
import type { CertificateResponse as _securityapi_CertificateResponse, CertificateResponse__Output as _securityapi_CertificateResponse__Output } from './securityapi/CertificateResponse';
import type { SecurityServiceClient as _securityapi_SecurityServiceClient, SecurityServiceDefinition as _securityapi_SecurityServiceDefinition } from './securityapi/SecurityService';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  securityapi: {
    CertificateRequest: MessageTypeDefinition<_securityapi_CertificateRequest, _securityapi_CertificateRequest__Output>
    CertificateResponse: MessageTypeDefinition<_securityapi_CertificateResponse, _securityapi_CertificateResponse__Output>
    SecurityService: SubtypeConstructor<typeof grpc.Client, _securityapi_SecurityServiceClient> & { service: _securityapi_SecurityServiceDefinition }
  }
}

