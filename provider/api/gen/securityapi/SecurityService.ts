// Original file: provider/api/proto/security/security.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CertificateRequest as _securityapi_CertificateRequest, CertificateRequest__Output as _securityapi_CertificateRequest__Output } from '../securityapi/CertificateRequest';
import type { CertificateResponse as _securityapi_CertificateResponse, CertificateResponse__Output as _securityapi_CertificateResponse__Output } from '../securityapi/CertificateResponse';

export interface SecurityServiceClient extends grpc.Client {
  Certificate(argument: _securityapi_CertificateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_securityapi_CertificateResponse__Output>): grpc.ClientUnaryCall;
  Certificate(argument: _securityapi_CertificateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_securityapi_CertificateResponse__Output>): grpc.ClientUnaryCall;
  Certificate(argument: _securityapi_CertificateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_securityapi_CertificateResponse__Output>): grpc.ClientUnaryCall;
  Certificate(argument: _securityapi_CertificateRequest, callback: grpc.requestCallback<_securityapi_CertificateResponse__Output>): grpc.ClientUnaryCall;
  certificate(argument: _securityapi_CertificateRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_securityapi_CertificateResponse__Output>): grpc.ClientUnaryCall;
  certificate(argument: _securityapi_CertificateRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_securityapi_CertificateResponse__Output>): grpc.ClientUnaryCall;
  certificate(argument: _securityapi_CertificateRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_securityapi_CertificateResponse__Output>): grpc.ClientUnaryCall;
  certificate(argument: _securityapi_CertificateRequest, callback: grpc.requestCallback<_securityapi_CertificateResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface SecurityServiceHandlers extends grpc.UntypedServiceImplementation {
  Certificate: grpc.handleUnaryCall<_securityapi_CertificateRequest__Output, _securityapi_CertificateResponse>;
  
}

export interface SecurityServiceDefinition extends grpc.ServiceDefinition {
  Certificate: MethodDefinition<_securityapi_CertificateRequest, _securityapi_CertificateResponse, _securityapi_CertificateRequest__Output, _securityapi_CertificateResponse__Output>
}
